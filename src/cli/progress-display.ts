import { createLogUpdate } from 'log-update';
import { displayWidth, fitColumns, padColumns } from '#platform/rendering/terminal/display-width.ts';
import { advance, atStart, type Progress, type ProgressEvent, type StageLabels, type StageState } from './progress.ts';
import { painter } from '#platform/rendering/terminal/painter.ts';

export type ProgressDisplay = {
  show(event: ProgressEvent): void;
  /** Leaves what is there until something else is shown, so that a question can be asked below it. */
  hold(): void;
  /** Leaves what is there and gives the terminal back. */
  end(): void;
};

type Stream = NodeJS.WritableStream & { columns?: number };

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** A display that redraws itself: a line per stage with its state, what was found and how long it took. */
export function liveDisplay(stream: Stream, labels: StageLabels, now: () => number = Date.now): ProgressDisplay {
  const log = createLogUpdate(stream);
  let state = atStart(labels);
  let frame = 0;
  const draw = () => log(drawn(state, { now: now(), spinner: FRAMES[frame % FRAMES.length] ?? '', columns: stream.columns || 80 }));
  let isHeld = false;
  const timer = setInterval(() => {
    frame += 1;
    if (!isHeld) draw();
  }, FRAME_MS);
  timer.unref();
  const leave = () => {
    draw();
    log.done();
  };
  return {
    show: (event) => {
      state = advance(state, event, now());
      isHeld = false;
      draw();
    },
    hold: () => {
      isHeld = true;
      leave();
    },
    end: () => {
      clearInterval(timer);
      leave();
    },
  };
}

type Look = { now: number; spinner: string; columns: number };

const paint = painter(true);

function drawn(state: Progress, look: Look): string {
  const fit = (text: string): string => fitColumns(text, look.columns - 3);
  const running = state.outcome === null ? paint('cyan', look.spinner) : paint('green', '✓');
  const begun = state.stages.some((stage) => stage.status !== 'waiting');
  return [
    ...(state.headline ? [`${running} ${fit(state.headline)}`] : []),
    ...state.understood.map((line) => paint('dim', fit(line))),
    ...(begun ? stageLines(state, look, fit) : []),
    ...state.warnings.map((warning) => `${paint('yellow', '!')} ${fit(warning)}`),
  ].join('\n');
}

function stageLines({ stages, outcome }: Progress, { now, spinner }: Look, fit: (text: string) => string): string[] {
  const width = Math.max(...stages.map((stage) => displayWidth(stage.label)));
  const signs = {
    waiting: paint('dim', '·'),
    running: outcome === null ? paint('cyan', spinner) : paint('red', '✗'),
    completed: paint('green', '✓'),
    failed: paint('red', '✗'),
  };
  return stages.map(({ label, status, startedAt, endedAt, note }) => {
    const took = startedAt === null ? '' : seconds((endedAt ?? now) - startedAt);
    const text = fit(`${padColumns(label, width)}  ${took.padStart(7)}  ${note}`.trimEnd());
    return `${signs[status]} ${status === 'waiting' ? paint('dim', text) : text}`;
  });
}

/** One line per change, for logs and pipes. */
export function plainDisplay(stream: NodeJS.WritableStream, labels: StageLabels, now: () => number = Date.now): ProgressDisplay {
  let state = atStart(labels);
  const say = (text: string) => void stream.write(`${text}\n`);
  return {
    show: (event) => {
      const before = state;
      state = advance(state, event, now());
      for (const text of changes(before, state)) say(text);
    },
    hold: () => {},
    end: () => {},
  };
}

/** What a state says that the one before it did not. */
export function changes(before: Progress, after: Progress): string[] {
  const stages = after.stages.flatMap((stage) => {
    const earlier = before.stages.find(({ name }) => name === stage.name);
    if (stage.status !== earlier?.status && stage.status !== 'waiting') return [stageChange(stage)];
    return stage.note && stage.note !== earlier?.note ? [`${stage.label}: ${stage.note}`] : [];
  });
  return [
    ...(after.headline && after.headline !== before.headline ? [after.headline] : []),
    ...stages,
    ...after.warnings.filter((warning) => !before.warnings.includes(warning)).map((warning) => `Warning: ${warning}`),
  ];
}

function stageChange({ label, status, startedAt, endedAt }: StageState): string {
  const took = seconds((endedAt ?? 0) - (startedAt ?? 0));
  if (status === 'running') return `${label} …`;
  return status === 'completed' ? `${label}: done in ${took}` : `${label}: failed after ${took}`;
}
