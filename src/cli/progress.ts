import { sourcesInWords, verdictLine } from '#features/reports';
import type { ResearchArtifact } from '#features/research';
import { mapOf } from '#lib/map-of.ts';
import { count } from '#lib/text.ts';
import { cleanText } from '#lib/clean-text.ts';

export type StageState = {
  name: string;
  label: string;
  status: 'waiting' | 'running' | 'completed' | 'failed';
  /** Milliseconds since the epoch, as this process saw it. */
  startedAt: number | null;
  endedAt: number | null;
  /** What was found, or what the stage said last. */
  note: string;
};

export type Progress = {
  /** What goes on outside the stages; empty when nothing needs saying. */
  headline: string;
  stages: readonly StageState[];
  /** How the idea was understood, a line each. */
  understood: readonly string[];
  warnings: readonly string[];
  outcome: 'result' | 'error' | null;
};

/** What moves the display on: a line of the stream, or something that this side of the connection knows. */
export type ProgressEvent =
  | { event: 'stage'; data: { name: string; status: 'started' | 'completed' | 'failed' } }
  | { event: 'progress'; data: { message: string } }
  | { event: 'retry'; data: { attempt: number; source: string } }
  | { event: 'result'; data: ResearchArtifact }
  | { event: 'understood'; data: { lines: readonly string[] } }
  | { event: 'found'; data: { stage: string; note: string } }
  | { event: 'finished'; data: Record<string, never> }
  | { event: 'error'; data: { message: string } }
  | { event: 'headline'; data: { message: string } };

/** Stages that are shown from the beginning, by the names under which they are told. */
export type StageLabels = Readonly<Record<string, string>>;

export const RESEARCH_STAGES = {
  interpret: 'Understand the idea',
  search: 'Gather evidence',
  judge: 'Judge the evidence',
  analyze: 'Analyse the market',
  synthesize: 'Draw conclusions',
  persist: 'Store the report',
} as const satisfies StageLabels;

const newStage = (name: string, label: string): StageState => ({ name, label, status: 'waiting', startedAt: null, endedAt: null, note: '' });

/** Nothing has happened yet. */
export const atStart = (labels: StageLabels): Progress => ({
  headline: '',
  stages: Object.entries(labels).map(([name, label]) => newStage(name, label)),
  understood: [],
  warnings: [],
  outcome: null,
});

/** The state after an event. @param now milliseconds since the epoch */
export function advance(state: Progress, { event, data }: ProgressEvent, now: number): Progress {
  switch (event) {
    case 'stage':
      return { ...withStage(state, data.name, (stage) => moved(stage, data.status, now)), headline: '' };
    case 'progress':
      return withRunning({ ...state, headline: '' }, cleanText(data.message));
    case 'retry':
      return withRunning({ ...state, headline: '' }, 'asked once more, strictly');
    case 'result':
      return withFindings({ ...state, headline: '' }, data);
    case 'understood':
      return { ...state, understood: data.lines };
    case 'found':
      return { ...withStage(state, data.stage, (stage) => ({ ...stage, note: cleanText(data.note) })), headline: '' };
    case 'finished':
      return { ...state, outcome: 'result' };
    case 'error':
      return { ...state, headline: '', outcome: 'error' };
    case 'headline':
      return { ...state, headline: cleanText(data.message) };
  }
}

function moved(stage: StageState, status: 'started' | 'completed' | 'failed', now: number): StageState {
  if (status === 'started') return { ...stage, status: 'running', startedAt: now, endedAt: null };
  return { ...stage, status, startedAt: stage.startedAt ?? now, endedAt: now };
}

/** Changes one stage; one that is not known yet is added. */
function withStage(state: Progress, name: string, change: (stage: StageState) => StageState): Progress {
  const known = state.stages.some((stage) => stage.name === name);
  const stages = known ? state.stages : [...state.stages, newStage(name, cleanText(name))];
  return { ...state, stages: stages.map((stage) => (stage.name === name ? change(stage) : stage)) };
}

function withRunning(state: Progress, note: string): Progress {
  const running = state.stages.findLast((stage) => stage.status === 'running');
  return running ? withStage(state, running.name, (stage) => ({ ...stage, note })) : { ...state, headline: note };
}

/** Only the result tells what each stage brought. A research that was there already went through no stage: none is shown. */
function withFindings(state: Progress, artifact: ResearchArtifact): Progress {
  const { incumbents, emerging, features, quality, recommendation } = artifact;
  const found = mapOf<string>({
    interpret: artifact.product_category,
    search: sourcesInWords(quality.sources),
    judge: `${count(quality.evidence_count, 'source')} kept`,
    analyze: `${count(incumbents.length, 'incumbent')}, ${count(emerging.length, 'emerging player')}, ${count(features.length, 'feature')}`,
    synthesize: verdictLine(recommendation),
  });
  const warnings = artifact.warnings.map(cleanText);
  if (state.stages.every((stage) => stage.status === 'waiting')) {
    const stages = state.stages.filter(({ name }) => !Object.hasOwn(RESEARCH_STAGES, name));
    return { ...state, headline: 'This idea has been researched before: here is that result.', stages, warnings };
  }
  return {
    ...state,
    stages: state.stages.map((stage) => ({
      ...stage,
      note: stage.status === 'completed' || stage.status === 'failed' ? cleanText(found.get(stage.name) ?? '') : stage.note,
    })),
    warnings,
  };
}
