export type Slots = {
  /** Waits for a turn; dispose of what it gives when done. @throws the signal's reason */
  take(host: string, signal: AbortSignal): Promise<Disposable>;
};

type Waiting = { host: string; start: () => void };

/** Bounds what runs at a time: so many per host, so many overall; first come, first served where the host has room. */
export function openSlots(limits: { perHost: number; overall: number }): Slots {
  const busy = new Map<string, number>();
  const queue: Waiting[] = [];
  let running = 0;

  const hasRoom = (host: string): boolean => running < limits.overall && (busy.get(host) ?? 0) < limits.perHost;

  const release = (host: string): void => {
    running -= 1;
    const left = (busy.get(host) ?? 1) - 1;
    if (left === 0) busy.delete(host);
    else busy.set(host, left);
    startNext();
  };

  const startNext = (): void => {
    const place = queue.findIndex((waiting) => hasRoom(waiting.host));
    if (place >= 0) queue.splice(place, 1)[0]?.start();
  };

  const occupy = (host: string): Disposable => {
    running += 1;
    busy.set(host, (busy.get(host) ?? 0) + 1);
    let held = true;
    return {
      [Symbol.dispose]: () => {
        if (held) release(host);
        held = false;
      },
    };
  };

  return {
    take: (host, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        if (hasRoom(host)) return resolve(occupy(host));
        const start = (): void => {
          signal.removeEventListener('abort', give);
          resolve(occupy(host));
        };
        const waiting: Waiting = { host, start };
        const give = (): void => {
          queue.splice(queue.indexOf(waiting), 1);
          reject(signal.reason);
        };
        queue.push(waiting);
        signal.addEventListener('abort', give, { once: true });
      }),
  };
}
