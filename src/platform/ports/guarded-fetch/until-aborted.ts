/** The outcome of a promise, or the signal's reason if that comes first; a later failure of the promise is then nobody's. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const give = (): void => reject(signal.reason);
  signal.addEventListener('abort', give, { once: true });
  if (signal.aborted) give();
  try {
    return await Promise.race([aborted, promise]);
  } finally {
    signal.removeEventListener('abort', give);
  }
}
