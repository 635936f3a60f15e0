import type { z } from 'zod';
import type { Needs } from '#platform/context.ts';
import { findByShareToken, type BriefRow } from './brief-store.ts';
import { readBrief, type PresentedBrief } from './read-brief.ts';
import type { SharedBrief } from './schema.ts';

/**
 * A brief as anyone may see it who has its token: only when it is `ready`, without ids of its owner, project or research,
 * and without the words of earlier research, which its owner may keep private. Null otherwise.
 */
export async function findSharedBrief(ctx: Needs<'db'>, token: string): Promise<z.input<typeof SharedBrief> | null> {
  const row = await findByShareToken(ctx.db, token);
  return row ? publicOf(await readBrief(ctx, row)) : null;
}

function publicOf(brief: PresentedBrief): z.input<typeof SharedBrief> {
  const { id: _id, project_id: _project, research_id: _research, share_token: _token, error: _error, template: _template, ...rest } = brief;
  const meta = Object.entries(brief.section_meta).map(([section, entry]) => {
    const { research_id: _of, ...shown } = entry;
    return [section, shown] as const;
  });
  return { type: 'brief', ...rest, section_meta: Object.fromEntries(meta), sources: brief.sources.map(withoutPrivateWords) };
}

const withoutPrivateWords = (source: PresentedBrief['sources'][number]): PresentedBrief['sources'][number] =>
  source.kind === 'prior_research'
    ? { ...source, url: 'research:', title: 'Earlier research', snippet: 'An earlier research in the same market.' }
    : source;

/** Where anyone with the token reads a brief. */
export const shareUrlOf = ({ config }: Needs<'config'>, brief: Pick<BriefRow, 'share_token'>): string =>
  `${config.http.baseUrl}/share/${brief.share_token}`;
