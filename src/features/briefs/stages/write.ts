import type { KeepingRun, Stage } from '#platform/runs/define-pipeline.ts';
import { RunFailure } from '#lib/run-failure.ts';
import { saveSection } from '../brief-sections.ts';
import type { BriefRun } from '../brief-run.ts';
import { readSections } from '../section-store.ts';
import type { SectionType } from '../states.ts';
import { writeSections, type Outcome } from '../write-sections.ts';

/** Writes the sections as the writer groups them, the groups side by side; each section is kept and told of by itself, and one that fails leaves the rest. */
export const write = {
  name: 'write',
  run: async (run, _before, stage) => {
    const there = new Set((await readSections(run.ctx.db, run.brief.id)).map((row) => row.section_type));
    const groups = run.writer.groups.map((group) => group.filter((section) => !there.has(section))).filter((group) => group.length > 0);
    const ends = await Promise.allSettled(groups.map((group) => writeAndKeep(run, group, stage)));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    const sections = await readSections(run.ctx.db, run.brief.id);
    const written = sections.filter(({ status }) => status === 'written').map(({ section_type: section }) => section);
    if (written.length > 0) return { written };
    throw new RunFailure(
      sections.find(({ error }) => error !== null)?.error ?? { code: 'PIPELINE_ERROR', message: 'No section could be written.', retryable: true },
    );
  },
} as const satisfies Stage<BriefRun, unknown, { written: SectionType[] }>;

async function writeAndKeep(run: BriefRun, group: readonly SectionType[], stage: KeepingRun): Promise<void> {
  const { brief, artifact } = run;
  const outcomes = await writeSections(run, group, { artifact, audience: brief.audience, template: brief.template, take: 0 }, stage);
  for (const outcome of outcomes) await keepOne(run, outcome, stage);
}

const keepOne = ({ brief, researchId }: BriefRun, { section, ...outcome }: Outcome, stage: KeepingRun): Promise<void> =>
  stage.keep(async (tx) => {
    await saveSection(tx, { briefId: brief.id, researchId, section, revision: 1 }, outcome);
    const told = outcome.status === 'written' ? { content: outcome.content } : { content: null, error: outcome.error };
    return [{ event: 'section_progress', data: { section, ...told } }];
  });
