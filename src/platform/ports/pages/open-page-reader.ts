import type { Logger } from '../../observability/log.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { type PageReader, type PageText } from '../page-reader.ts';
import { addressRules } from './address-rules.ts';
import { decodeText } from './charset.ts';
import { getFollowing, guardedGet, type Answer, type Get, type Head } from './guarded-get.ts';
import type { Lookup } from './guarded-connect.ts';
import { Failure, Refusal } from './page-errors.ts';
import { openRobots } from './robots.ts';
import { openSlots } from './slots.ts';

type Options = {
  /** Host names, `*.suffix`, addresses or ranges that are read although they are not public, on any port. */
  allow: readonly string[];
  /** The same syntax; never read, whatever `allow` says. */
  deny: readonly string[];
  metrics: Metrics;
  log: Logger;
  /** Stands in for the system's lookup, in tests. */
  lookup?: Lookup;
};

type Permit = (url: URL, signal: AbortSignal) => Promise<void>;

const CONNECTIONS = { perHost: 2, overall: 24 };
const BYTES = 2_000_000;
const READ_MS = 10_000;
const LONGEST_TEXT = 100_000;

/**
 * A reader of the public web that keeps to robots.txt; see the address rules for what counts as public.
 * @throws ConfigError when an entry of `allow` or `deny` cannot be read
 */
export function openPageReader({ allow, deny, metrics, log, lookup }: Options): PageReader {
  const rules = addressRules({ allow, deny });
  const get = guardedGet({ rules, slots: openSlots(CONNECTIONS), lookup });
  const robots = openRobots((url, ask) => getFollowing(get, url, ask));
  const permit = async (url: URL, signal: AbortSignal): Promise<void> => {
    rules.checkUrl(url);
    await robots.check(url, signal);
  };
  return {
    read: async (address, signal) => {
      const limit = AbortSignal.timeout(READ_MS);
      try {
        const page = await readPage(get, permit, address, AbortSignal.any([signal, limit]));
        metrics.pageFetches.inc({ outcome: 'read' });
        return page;
      } catch (error) {
        const ended = endOf(error, signal, limit);
        metrics.pageFetches.inc({ outcome: ended.outcome });
        log.debug({ host: URL.parse(address)?.host, outcome: ended.outcome }, 'a page was not read');
        throw ended;
      }
    },
  };
}

async function readPage(get: Get, permit: Permit, address: string, signal: AbortSignal): Promise<PageText> {
  const url = URL.parse(address);
  if (!url) throw new Refusal('refused_address', 'That is no address of a page.');
  url.hash = '';
  const ask = {
    accept: 'text/html, application/xhtml+xml, text/plain;q=0.8',
    maxBytes: BYTES,
    cutAtLimit: false,
    milliseconds: READ_MS,
    signal,
    wantsBody,
  };
  const answer = await getFollowing(get, url, ask, (hop) => permit(hop, signal));
  return pageOf(answer);
}

const HTML: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml']);

const typeOf = ({ header }: Head): string => (header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

function wantsBody(head: Head): true {
  if (head.status < 200 || head.status > 299) throw new Failure('failed_status', `The page answered with status ${head.status}.`);
  const type = typeOf(head);
  if (type === 'application/pdf') throw new Failure('failed_type', 'The page is a PDF file; only HTML and plain text are read.');
  if (!HTML.has(type) && type !== 'text/plain') {
    throw new Failure(
      'failed_type',
      `The page is ${type === '' ? 'of no stated type' : `of type ${type.slice(0, 80)}`}; only HTML and plain text are read.`,
    );
  }
  const length = Number(head.header('content-length'));
  if (length > BYTES) throw new Failure('failed_size', `The page is larger than ${BYTES / 1000} kB.`);
  return true;
}

async function pageOf(answer: Answer): Promise<PageText> {
  const isHtml = HTML.has(typeOf(answer));
  const decoded = decodeText(answer.body, answer.header('content-type') ?? '', isHtml);
  const page = isHtml ? await (await import('./html-to-text.ts')).htmlToText(decoded) : plainPage(decoded);
  if (page.text === '') throw new Failure('failed_empty', 'The page holds no readable text.');
  return { url: answer.url.href, ...page };
}

const plainPage = (text: string): Omit<PageText, 'url'> => ({
  title: '',
  text: text.replaceAll(/\r\n?/g, '\n').trim().slice(0, LONGEST_TEXT),
  publishedAt: null,
});

function endOf(error: unknown, caller: AbortSignal, limit: AbortSignal): Refusal | Failure {
  if (error instanceof Refusal || error instanceof Failure) return error;
  if (caller.aborted) {
    const late = caller.reason instanceof DOMException && caller.reason.name === 'TimeoutError';
    return late
      ? new Failure('timeout', 'The page did not come in the time that was given for it.', error)
      : new Failure('cancelled', 'The reading of the page was called off.', error);
  }
  if (limit.aborted) return new Failure('timeout', `The page did not come within ${READ_MS / 1000} s.`, error);
  return new Failure('failed_network', 'The page could not be read.', error);
}
