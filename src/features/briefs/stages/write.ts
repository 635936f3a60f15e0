import type { KeepingRun, Stage } from '#platform/runs/define-pipeline.ts';
import { RunFailure } from '#lib/run-failure.ts';
import { saveSection } from '../brief-sections.ts';
import type { BriefRun } from '../brief-run.ts';
import { readSections } from '../section-store.ts';
import { SECTION_TYPES, type SectionType } from '../states.ts';
import { writeSection } from '../write-section.ts';

/** Writes the sections side by side; each is kept and told of as soon as it is there, and one that fails leaves the rest. */
export const write = {
  name: 'write',
  run: async (run, _before, stage) => {
    const there = new Set((await readSections(run.ctx.db, run.brief.id)).map((row) => row.section_type));
    const ends = await Promise.allSettled(SECTION_TYPES.filter((section) => !there.has(section)).map((section) => writeAndKeep(run, section, stage)));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    const sections = await readSections(run.ctx.db, run.brief.id);
    const written = sections.filter(({ status }) => status === 'written').map(({ section_type: section }) => section);
    if (written.length > 0) return { written };
    throw new RunFailure(
      sections.find(({ error }) => error !== null)?.error ?? { code: 'PIPELINE_ERROR', message: 'No section could be written.', retryable: true },
    );
  },
} as const satisfies Stage<BriefRun, unknown, { written: SectionType[] }>;

async function writeAndKeep(run: BriefRun, section: SectionType, stage: KeepingRun): Promise<void> {
  const { brief, artifact } = run;
  const outcome = await writeSection(run, section, { artifact, audience: brief.audience, template: brief.template, take: 0 }, stage);
  await stage.keep(async (tx) => {
    await saveSection(tx, { briefId: brief.id, researchId: run.researchId, section, revision: 1 }, outcome);
    const told = outcome.status === 'written' ? { content: outcome.content } : { content: null, error: outcome.error };
    return [{ event: 'section_progress', data: { section, ...told } }];
  });
}
