// Loaded before the service in a process of its own: the idea decides what the first stage of its research does to that process.
import { researchPipeline } from '../features/research/pipeline.ts';
import type { ResearchRun } from '../features/research/research-run.ts';

type AnyRun = (input: ResearchRun, before: unknown, stage: { signal: AbortSignal }) => Promise<unknown>;

const HELD = 'GROUNDWORK_TEST_HELD';
const STEP_MS = 20;
const hoard: unknown[] = [];
const fill = (): void => void hoard.push(Array.from({ length: 400_000 }, (_, index) => ({ index })));

const HARM: Readonly<Record<string, () => Promise<void> | void>> = {
  'an endless loop': () => {
    for (;;);
  },
  'memory bit by bit': async () => {
    for (;;) {
      fill();
      await new Promise((resolve) => setTimeout(resolve, STEP_MS));
    }
  },
};

const [first] = researchPipeline.stages as unknown as { run: AnyRun }[];
if (!first) throw new Error('the research has no stage');
const run = first.run;
first.run = async (input, before, stage) => {
  const harm = Object.keys(HARM).find((name) => input.job.idea.includes(name));
  if (harm !== undefined) {
    // The others are at work by then.
    await new Promise((resolve) => setTimeout(resolve, 10 * STEP_MS));
    await HARM[harm]?.();
    await waitFor(stage.signal);
  }
  if (process.env[HELD] === '1') await waitFor(stage.signal);
  return run(input, before, stage);
};

const waitFor = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }));
