/** Wakes whoever waits for it. Level-triggered: a ring that comes while nobody waits is remembered. */
export type Bell = {
  ring(): void;
  /** Resolves at the next ring, at once when one came since the last call, and at the latest when `signal` aborts. */
  next(signal: AbortSignal): Promise<void>;
};

export function openBell(): Bell {
  let rung = false;
  let release: (() => void) | undefined;
  return {
    ring: () => {
      rung = true;
      release?.();
    },
    next: async (signal) => {
      if (!rung && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const go = () => {
            signal.removeEventListener('abort', go);
            resolve();
          };
          release = go;
          signal.addEventListener('abort', go);
        });
        release = undefined;
      }
      rung = false;
    },
  };
}
