import type { Stage } from '#platform/runs/define-pipeline.ts';
import type { Gathered, Interpretation, Judgement } from '../analyst.ts';
import type { ResearchRun } from '../research-run.ts';

/** Sorts out what does not bear on the idea, be it everything. Without its answer everything counts as relevant. */
export const judge = {
  name: 'judge',
  run: async ({ analyst }, { interpret, search }, stage) => {
    if (search.findings.length === 0) return { relevant: [], notes: [] };
    const judgement = await analyst.judge(interpret, search.findings, stage);
    const known = new Set(search.findings.map((finding) => finding.id));
    return { relevant: judgement.relevant.filter((id) => known.has(id)), notes: judgement.notes.filter((note) => known.has(note.id)) };
  },
  otherwise: (_error, _run, { search }) => ({ relevant: search.findings.map((finding) => finding.id), notes: [] }),
} as const satisfies Stage<ResearchRun, { interpret: Interpretation; search: Gathered }, Judgement>;
