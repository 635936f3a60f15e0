/** A run waits for a decision and holds no worker meanwhile. */
export class Paused extends Error {
  override name = 'Paused';

  constructor(run: string, question: string) {
    super(`run ${run} waits for a decision on ${question}`);
  }
}
