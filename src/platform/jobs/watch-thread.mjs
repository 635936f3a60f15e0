// A thread beside the process, which looks on while that one cannot: who blocks it, who fills its memory.
// Plain JavaScript: Node's own reader of TypeScript would take another 10 to 30 MB in this thread.
import { Session } from 'node:inspector';
import { totalmem } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';

const LOOK_EVERY_MS = 200;
/** While memory fills up: the rest may be gone in a tenth of a second. */
const LOOK_CLOSELY_EVERY_MS = 50;
/** Silence after which that one is asked for who works while memory runs out; a shorter one may be the garbage collector's. */
const SILENT_MS = 1000;
const ANSWER_MS = 1500;
/** Shares of the heap: from the first the thread looks closely, from the second the process is short of it, until it is below the third. */
const SHARE = { close: 0.5, short: 0.8, relieved: 0.68 };
/** The share of the machine's memory that counts as much as `short`: in a small container most of it is used at any time. */
const SHORT_OF_MACHINE = 0.95;

/** @type {import('./watch-jobs.ts').WatchStart} */
const { beats, memory, written, question, blockedMs, heapLimit, processId, record, logLevel } = workerData;
const machine = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
/** @type {Set<string>} */
const running = new Set();
let lastBeat = 0;
let silentMs = 0;
let lookEveryMs = LOOK_EVERY_MS;
/**
 * None; memory runs out; it runs out while one piece of work goes on; the process is blocked. A later one says more.
 * @type {0 | 1 | 2 | 3}
 */
let trouble = 0;
/** @type {Promise<void>} */
let writing = Promise.resolve();

parentPort?.on('message', (/** @type {import('./watch-jobs.ts').WatchNews} */ news) => {
  if ('began' in news) running.add(news.began);
  else if ('ended' in news) running.delete(news.ended);
  else void inOrder(() => strike([news.diesOf], 'nobody catches what was thrown')).then(letGo);
});
setTimeout(look, lookEveryMs);

/** Counts its own looks, not the time: while the machine stands still, or has no time for either of them, nothing is noticed. */
function look() {
  const beat = Atomics.load(beats, 0);
  silentMs = beat === lastBeat ? silentMs + lookEveryMs : 0;
  lastBeat = beat;
  const used = memoryUsed();
  lookEveryMs = used > SHARE.close ? LOOK_CLOSELY_EVERY_MS : LOOK_EVERY_MS;
  setTimeout(look, lookEveryMs);
  // There may be no time left for it later.
  if (used > SHARE.close) void import('./record-strikes.ts');
  const now = troubleNow(used);
  if (now === 0 ? trouble === 0 : now <= trouble) return;
  trouble = now;
  void inOrder(async () => {
    if (now === 0) {
      const { withdrawStrikes } = await import('./record-strikes.ts');
      await withdrawStrikes(record, processId);
      return say('warn', {}, 'the process answers again');
    }
    const jobIds = now === 1 ? [...running] : await whoIsAtWork();
    if (trouble === now) await strike(jobIds, now === 3 ? 'the process is blocked' : 'memory is nearly used up');
  });
}

/**
 * @param {number} used
 * @returns {0 | 1 | 2 | 3}
 */
function troubleNow(used) {
  if (silentMs >= blockedMs) return 3;
  if (used < (trouble > 0 ? SHARE.relieved : SHARE.short)) return 0;
  return silentMs >= SILENT_MS ? 2 : 1;
}

/** The share of the heap that is used, or what is used of the machine's memory on that scale: whichever is more. */
function memoryUsed() {
  const [heap = 0, all = 0] = memory;
  const now = process.memoryUsage.rss();
  // What the process has taken since its last beat only the system knows.
  return Math.max((heap + Math.max(0, now - all)) / heapLimit, (SHARE.short / SHORT_OF_MACHINE) * (now / machine));
}

/**
 * Asks within the process, whose code is interrupted for it, which job that code belongs to. All that are running where no
 * answer comes: what blocks is not JavaScript. None where something else than a job is at work.
 * @returns {Promise<string[]>}
 */
async function whoIsAtWork() {
  const session = new Session();
  try {
    session.connectToMainThread();
    /** @type {Promise<string | null | undefined>} */
    const answered = new Promise((resolve) => {
      setTimeout(() => resolve(undefined), ANSWER_MS);
      session.post('Runtime.evaluate', { expression: question, returnByValue: true }, (error, reply) => {
        resolve(error ? undefined : /** @type {{ result: { value: string | null } }} */ (reply).result.value);
      });
    });
    const answer = await answered;
    if (answer === undefined) return [...running];
    return answer === null ? [] : ifRunning(answer);
  } catch {
    return [...running];
  } finally {
    session.disconnect();
  }
}

/** What a job that has ended left behind is nobody's any more. @param {string} jobId */
const ifRunning = (jobId) => (running.has(jobId) ? [jobId] : []);

/**
 * @param {string[]} jobIds
 * @param {string} why
 */
async function strike(jobIds, why) {
  const { recordStrikes } = await import('./record-strikes.ts');
  await recordStrikes(record, { processId, jobIds });
  await say('error', { jobIds }, jobIds.length > 0 ? `${why} while these jobs are at work` : `${why}, and by no job`);
}

/** @param {() => Promise<void>} step */
function inOrder(step) {
  writing = writing.then(step).catch((error) => say('error', { err: error }, 'what keeps the process from answering could not be written down'));
  return writing;
}

/**
 * On a log of its own: that of the process does not move.
 * @param {'warn' | 'error'} level
 * @param {object} facts
 * @param {string} message
 */
async function say(level, facts, message) {
  const { pino } = await import('pino');
  pino({ level: logLevel, base: null }, pino.destination({ fd: 2, sync: true }))[level](facts, message);
}

function letGo() {
  Atomics.store(written, 0, 1);
  Atomics.notify(written, 0);
}
