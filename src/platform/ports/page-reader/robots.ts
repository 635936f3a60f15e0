import robotsParser from 'robots-parser';
import { USER_AGENT } from '../guarded-fetch/built-in.ts';
import { FetchRefused, type FetchAnswer, type GuardedFetch } from '../guarded-fetch/port.ts';
import { untilAborted } from '../guarded-fetch/until-aborted.ts';
import { asPageError, Failure, Refusal } from './page-errors.ts';

export type Robots = {
  /** @throws Refusal when the site forbids it or its robots.txt cannot be had; the signal's reason */
  check(url: URL, signal: AbortSignal): Promise<void>;
};

type Fetch = (...request: Parameters<GuardedFetch['fetch']>) => Promise<Pick<FetchAnswer, 'status' | 'body'>>;
/** Why a page may not be read, or null when it may. */
type Verdict = (url: URL) => Refusal | null;
type Entry = { verdict: Promise<Verdict>; until: number };

const BYTES = 500_000;
const REQUEST_MS = 5000;
const ALTOGETHER_MS = 30_000;
const ORIGINS = 500;
const KEPT_MS = 3_600_000;
const UNREACHABLE_KEPT_MS = 60_000;

// The module is one function; its types describe it as an object with a default.
const parse = robotsParser as unknown as typeof robotsParser.default;

/** The rules of robots.txt (RFC 9309), asked once per origin and hour; a site that could not answer is asked again after a minute. */
export function openRobots(fetch: Fetch, now: () => number = Date.now): Robots {
  const cache = new Map<string, Entry>();

  const load = async (origin: string, entry: { until: number }): Promise<Verdict> => {
    try {
      return await askRobots(fetch, origin);
    } catch (error) {
      entry.until = now() + UNREACHABLE_KEPT_MS;
      return (url) => unreachable(url, error);
    }
  };

  const verdictOf = (origin: string): Promise<Verdict> => {
    const kept = cache.get(origin);
    cache.delete(origin);
    const fresh = kept && kept.until > now() ? kept : newEntry(origin);
    cache.set(origin, fresh);
    const [oldest] = cache.keys();
    if (cache.size > ORIGINS && oldest !== undefined) cache.delete(oldest);
    return fresh.verdict;
  };

  const newEntry = (origin: string): Entry => {
    const entry = { until: now() + KEPT_MS };
    return Object.assign(entry, { verdict: load(origin, entry) });
  };

  return {
    check: async (url, signal) => {
      const verdict = await untilAborted(verdictOf(url.origin), signal);
      const refusal = verdict(url);
      if (refusal) throw refusal;
    },
  };
}

function unreachable(url: URL, error: unknown): Refusal {
  if (error instanceof FetchRefused) return new Refusal('refused_address', error.message);
  const failure = asPageError(error);
  const why = failure ? ` (${failure.message.replace(/\.$/, '')})` : '';
  return new Refusal('refused_robots', `The robots.txt of ${url.host} cannot be had${why}, so its pages are left alone.`);
}

async function askRobots(fetch: Fetch, origin: string): Promise<Verdict> {
  const { status, body } = await fetch(new URL('/robots.txt', origin), {
    headers: { accept: 'text/plain, */*;q=0.1' },
    maxBytes: BYTES,
    cutAtLimit: true,
    milliseconds: REQUEST_MS,
    signal: AbortSignal.timeout(ALTOGETHER_MS),
    wantsBody: (head) => head.status >= 200 && head.status < 300,
  });
  if (status >= 500) throw new Failure('failed_status', `It answered with status ${status}.`);
  if (status >= 300) return () => null;
  const robots = parse(`${origin}/robots.txt`, rulesOnly(new TextDecoder().decode(body)));
  return (url) =>
    robots.isAllowed(url.href, USER_AGENT) === false ? new Refusal('refused_robots', `The robots.txt of ${url.host} forbids this page.`) : null;
}

const RULE = /^\s*(user-agent|allow|disallow)\s*:\s*(.*)$/i;
const LONGEST_RULE = 500;
const MOST_RULES = 5000;
/** Characters of rules with wildcards, whose matching takes time in proportion to this and the length of the path. */
const WILD = 40_000;

/** The lines that decide, bounded; a rule that exceeds a bound forbids more than it says, never less. */
function rulesOnly(text: string): string {
  let wild = 0;
  const bounded = (line: string): string => {
    const [, field = '', value = ''] = RULE.exec(line.replace(/#.*$/, '')) ?? [];
    if (field.toLowerCase() === 'user-agent') return `${field}: ${value.slice(0, LONGEST_RULE)}`;
    const pattern = value.replaceAll(/\*{2,}/g, '*');
    const star = pattern.indexOf('*');
    if (star >= 0) wild += pattern.length;
    const cut = pattern.slice(0, star >= 0 && wild > WILD ? star : LONGEST_RULE);
    if (cut === pattern) return `${field}: ${pattern}`;
    return field.toLowerCase() === 'disallow' ? `${field}: ${cut || '/'}` : '';
  };
  const lines = text.split(/\r\n|\r|\n/).filter((line) => RULE.test(line));
  return lines.slice(0, MOST_RULES).map(bounded).join('\n');
}
