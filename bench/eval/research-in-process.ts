import { pino } from 'pino';
import {
  ContentlessIdea,
  type Analysis,
  type Analyst,
  type Finding,
  type Interpretation,
  type Pivot,
  type Synthesis,
} from '../../src/features/research/analyst.ts';
import { lockAnalysis, lockSynthesis } from '../../src/features/research/evidence-lock.ts';
import type { ResearchRun } from '../../src/features/research/research-run.ts';
import { catalogueFor } from '../../src/features/research/candidate-markets.ts';
import { ModelError } from '../../src/platform/llm/models.ts';

export type Report = {
  about: Interpretation;
  findings: Finding[];
  analysis: Analysis;
  synthesis: Synthesis;
  pivots: Pivot[];
  dropped: number;
  /** Milliseconds from the text to the synthesis. */
  ms: number;
};
export type Outcome =
  | { kind: 'report'; report: Report }
  | { kind: 'contentless' }
  | { kind: 'nothing_found'; about: Interpretation }
  /** The model did not answer, or not as asked. */
  | { kind: 'failed'; reason: string };

export type Research = (idea: string, id?: string) => Promise<Outcome>;

const NOW = new Date('2026-01-01T00:00:00Z');
const stage = {
  signal: new AbortController().signal,
  attempt: 1,
  emit: async () => {},
  progress: async () => {},
  spend: () => {},
};

/** Researches by the given analyst over the catalogue alone, without database, server or network of their own. */
export const researchWith =
  (analyst: Analyst): Research =>
  async (idea, id = 'evaluation') => {
    try {
      return await research(analyst, idea, id);
    } catch (error) {
      if (error instanceof ContentlessIdea) return { kind: 'contentless' };
      if (error instanceof ModelError) return { kind: 'failed', reason: error.message };
      throw error;
    }
  };

async function research(analyst: Analyst, idea: string, id: string): Promise<Outcome> {
  const started = performance.now();
  const about = await analyst.interpret(idea, stage);
  const { findings: found } = await catalogueFor(about).search(runOf(analyst, idea, id), about, stage.signal);
  const { relevant } = await analyst.judge(about, found, stage);
  const kept = new Set(relevant);
  const findings = found.filter((finding) => kept.has(finding.id));
  if (findings.length === 0) return { kind: 'nothing_found', about };
  const analysis = lockAnalysis(await analyst.analyze(about, findings, stage, { strict: false }), findings, idea);
  const synthesis = lockSynthesis(await analyst.synthesize(about, analysis.value, findings, stage), analysis.value, findings, idea);
  const ms = performance.now() - started;
  const dropped = analysis.fabricated + analysis.unsupported + synthesis.fabricated + synthesis.unsupported;
  const pivots = await pivotsOf(analyst, about, analysis.value, synthesis.value);
  return { kind: 'report', report: { about, findings, analysis: analysis.value, synthesis: synthesis.value, pivots, dropped, ms } };
}

const pivotsOf = (analyst: Analyst, about: Interpretation, analysis: Analysis, synthesis: Synthesis): Promise<Pivot[]> =>
  analyst.remix(
    {
      idea: about.normalizedIdea,
      shortTitle: about.shortTitle,
      targetUser: about.targetUser,
      categoryIds: about.categoryIds,
      whitespaces: synthesis.whitespaces,
      features: analysis.features,
      competitors: [...analysis.incumbents, ...analysis.emerging],
      audience: analysis.audience,
    },
    stage,
  );

/** The catalogue source reads the job's id and text and the clock, and nothing else of a run. */
function runOf(analyst: Analyst, idea: string, id: string): ResearchRun {
  const job = { id, idea, user_id: 'evaluation' };
  const ctx = { clock: { now: () => NOW }, log: pino({ level: 'silent' }) };
  return { job, ctx, analyst } as unknown as ResearchRun;
}

/** Every sentence of a report that makes a statement, in reading order. */
export function sentencesOf({ synthesis, pivots }: Report): string[] {
  const { recommendation, whitespaces, evidenceAgainst, assumptions, nextSteps, phase1, phase2 } = synthesis;
  return [
    recommendation.rationale,
    ...recommendation.reasons_for.map(({ text }) => text),
    ...recommendation.reasons_against.map(({ text }) => text),
    ...recommendation.parts.map(({ explanation }) => explanation),
    ...whitespaces.flatMap(({ title, description }) => [title, description]),
    ...evidenceAgainst.map(({ text }) => text),
    ...assumptions.flatMap((entry) => [entry.text, entry.why_it_matters]),
    ...nextSteps.flatMap((entry) => [entry.title, entry.how, entry.success_signal]),
    ...[...phase1, ...phase2].map(({ reason }) => reason),
    ...pivots.flatMap((pivot) => [pivot.idea, pivot.rationale, pivot.differentiation]),
  ];
}
