import { invalid } from '#lib/errors.ts';
import { createGraph } from '#features/build-graphs';
import { readArtifact } from '#features/research';
import type { Needs } from '#platform/context.ts';
import type { Principal } from '#platform/principal.ts';
import { ownedBrief } from './read-brief.ts';
import type { BriefFeature } from './section-content.ts';
import { readSections } from './section-store.ts';

const MOST_SELECTED = 12;
const SOURCE = 'brief';

/**
 * Plans what the brief says to build: what sets the idea apart, what it is compared by and what would be missed.
 * @throws AppError 404, 422 while there is no features section
 */
export async function buildFromBrief(
  ctx: Needs<'db' | 'streams' | 'queue' | 'config' | 'clock'>,
  principal: Principal,
  id: string,
): Promise<{ graphId: string; selected: number }> {
  const brief = await ownedBrief(ctx, principal, id);
  const features = (await readSections(ctx.db, id)).find((section) => section.section_type === 'features')?.content as
    | BriefFeature[]
    | null
    | undefined;
  const selected = selectedOf(features ?? []);
  if (selected.length === 0) throw invalid('The brief has no features section to build from');
  const artifact = brief.research_id ? await readArtifact(ctx.db, brief.research_id) : null;
  const { graphId } = await createGraph(ctx, principal, {
    idea: artifact?.product_idea ?? brief.title,
    features: selected.map(({ id: featureId, name }) => ({ id: featureId, label: name, source: SOURCE })),
    projectId: brief.project_id,
    ...(artifact ? { researchId: brief.research_id } : {}),
  });
  return { graphId, selected: selected.length };
}

/** What is to be built first; where nothing stands out, what heads the list. */
function selectedOf(features: readonly BriefFeature[]): BriefFeature[] {
  const wanted = features.filter(({ priority }) => priority === 'differentiate' || priority === 'match' || priority === 'expected');
  return (wanted.length > 0 ? wanted : features).slice(0, MOST_SELECTED);
}
