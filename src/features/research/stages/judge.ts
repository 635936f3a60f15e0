import type { Stage } from '#platform/runs/define-pipeline.ts';
import type { Gathered, Interpretation, Judgement } from '../analyst.ts';
import type { ResearchRun } from '../research-run.ts';

/** Sorts out what does not bear on the idea. Without its answer everything counts as relevant. */
export const judge = {
  name: 'judge',
  run: async ({ analyst }, { interpret, search }, stage) => {
    if (search.findings.length === 0) return { relevant: [], notes: [] };
    const judgement = await analyst.judge(interpret, search.findings, stage);
    const known = new Set(search.findings.map((finding) => finding.id));
    const relevant = judgement.relevant.filter((id) => known.has(id));
    // A judge that throws everything out says more about itself than about the evidence.
    return relevant.length > 0 ? { relevant, notes: judgement.notes.filter((note) => known.has(note.id)) } : everything(search);
  },
  otherwise: (_error, _run, { search }) => everything(search),
} as const satisfies Stage<ResearchRun, { interpret: Interpretation; search: Gathered }, Judgement>;

const everything = ({ findings }: Gathered): Judgement => ({ relevant: findings.map((finding) => finding.id), notes: [] });
