import type { z } from 'zod';
import type { Needs } from '#platform/context.ts';
import { findByShareToken, type BriefRow } from './brief-store.ts';
import { readBrief, type PresentedBrief } from './read-brief.ts';
import type { SharedBrief } from './schema.ts';
import type { Cited, SectionContent } from './section-content.ts';
import { SECTION_TYPES } from './states.ts';
import { mapStatements } from './statements.ts';

export type PublicBrief = z.input<typeof SharedBrief>;

/**
 * A brief as anyone may see it who has its token: only when it is `ready`, without ids of its owner, project or research,
 * and without the words of earlier research, which its owner may keep private. Null otherwise.
 */
export async function findSharedBrief(ctx: Needs<'db'>, token: string): Promise<PublicBrief | null> {
  const row = await findByShareToken(ctx.db, token);
  return row ? publicBrief(ctx, row) : null;
}

/** A brief as anyone may see it. */
export const publicBrief = async (ctx: Needs<'db'>, row: BriefRow): Promise<PublicBrief> => publicOf(await readBrief(ctx, row));

function publicOf(brief: PresentedBrief): PublicBrief {
  const { id: _id, project_id: _project, research_id: _research, share_token: _token, error: _error, template: _template, ...rest } = brief;
  const hidden = new Set(brief.sources.filter(({ kind }) => kind === 'prior_research').map(({ id }) => id));
  const meta = Object.entries(brief.section_meta).map(([section, entry]) => {
    const { research_id: _of, ...shown } = entry;
    return [section, { ...shown, source_ids: shown.source_ids.filter((id) => !hidden.has(id)) }] as const;
  });
  const sections = SECTION_TYPES.flatMap((type) => {
    const content = rest[type];
    return content ? [[type, withoutSources(content as SectionContent, hidden)] as const] : [];
  });
  return {
    type: 'brief',
    ...rest,
    ...Object.fromEntries(sections),
    section_meta: Object.fromEntries(meta),
    sources: brief.sources.filter(({ id }) => !hidden.has(id)),
  };
}

/** Briefs are written without earlier research now; those that were not lose what rests on it alone. */
function withoutSources(content: SectionContent, hidden: ReadonlySet<string>): SectionContent {
  if (hidden.size === 0) return content;
  const cite = (ids: readonly string[]): string[] => ids.filter((id) => !hidden.has(id));
  const statement = ({ text, evidence_ids: ids }: Cited): Cited | null => (cite(ids).length > 0 ? { text, evidence_ids: cite(ids) } : null);
  return mapStatements(content, { statement, cite });
}

/** Where anyone with the token reads a brief. */
export const shareUrlOf = ({ config }: Needs<'config'>, brief: Pick<BriefRow, 'share_token'>): string =>
  `${config.http.baseUrl}/share/${brief.share_token}`;
