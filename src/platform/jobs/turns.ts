/** Work that goes on side by side, and work that wants to be alone; in the order in which it was asked for. */
export type Turns = {
  shared<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Begins when nothing else is at work, and holds the others up until it has ended. */
  alone<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
};

type Waiting = { isAlone: boolean; go: () => void };

export function openTurns(): Turns {
  let working = 0;
  let isOneAlone = false;
  const waiting: Waiting[] = [];

  const mayGo = (wantsAlone: boolean): boolean => (wantsAlone ? working === 0 : !isOneAlone);
  const enter = (wantsAlone: boolean): void => {
    working += 1;
    isOneAlone = wantsAlone;
  };
  const letIn = (): void => {
    for (let first = waiting[0]; first && mayGo(first.isAlone); first = waiting[0]) {
      waiting.shift();
      enter(first.isAlone);
      first.go();
    }
  };
  const turn = (isAlone: boolean, signal: AbortSignal): Promise<void> => {
    if (waiting.length === 0 && mayGo(isAlone)) {
      enter(isAlone);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const stop = () => {
        waiting.splice(waiting.indexOf(entry), 1);
        letIn();
        reject(signal.reason as Error);
      };
      const entry: Waiting = {
        isAlone,
        go: () => {
          signal.removeEventListener('abort', stop);
          resolve();
        },
      };
      waiting.push(entry);
      signal.addEventListener('abort', stop, { once: true });
    });
  };
  const take = async <T>(isAlone: boolean, work: () => Promise<T>, signal: AbortSignal): Promise<T> => {
    signal.throwIfAborted();
    await turn(isAlone, signal);
    try {
      return await work();
    } finally {
      working -= 1;
      isOneAlone = false;
      letIn();
    }
  };
  return { shared: (work, signal) => take(false, work, signal), alone: (work, signal) => take(true, work, signal) };
}
