const SETTLE_MS = 300;
const received = new Map<string, number>();

/** Acts on signals of this process. */
export function onSignals(signals: readonly NodeJS.Signals[], act: (signal: NodeJS.Signals) => void): void {
  for (const signal of signals) {
    process.on(signal, () => {
      received.set(signal, Date.now());
      act(signal);
    });
  }
}

/**
 * Takes the signals that the launcher passes on as messages. A terminal, `timeout` or a supervisor signals both
 * processes: what this one has received itself is not raised a second time.
 */
export function acceptForwardedSignals(): void {
  if (!process.connected) return;
  process.on('message', (message) => {
    if (message !== 'SIGINT' && message !== 'SIGTERM' && message !== 'SIGHUP') return;
    setTimeout(() => {
      if (Date.now() - (received.get(message) ?? 0) > 4 * SETTLE_MS) process.kill(process.pid, message);
    }, SETTLE_MS).unref();
  });
  // Without its launcher nobody is left to stop it.
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
}
