import { mapTexts } from '#lib/map-texts.ts';
import { storable } from '#lib/text.ts';
import type { Logger } from '../../observability/log.ts';
import { pageMetrics } from './page-metrics.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { type PageReader, type PageText } from './port.ts';
import type { FetchAnswer, GuardedFetch, Head } from '../guarded-fetch/port.ts';
import type { HtmlText } from './html-to-text.ts';
import { asPageError, Failure, Refusal } from './page-errors.ts';
import type { RawPage } from './page-text.ts';
import { openRobots } from './robots.ts';
import { openThreads, ThreadFailed, type ThreadOptions, type Threads } from '../../threads/open-threads.ts';

type Options = {
  fetch: GuardedFetch;
  metrics: Metrics;
  log: Logger;
  /** How pages are turned into text, in tests. */
  threads?: Partial<ThreadOptions>;
};

export type PageAnswer = HtmlText | { failed: string };
type Parser = Threads<RawPage, PageAnswer>;

type Permit = (url: URL, signal: AbortSignal) => Promise<void>;

const BYTES = 2_000_000;
const READ_MS = 10_000;
/** What a page may take of a thread; a page of 2 MB that is made to take long needs some 2 s of it. */
const PARSING = { name: 'page parser', limitMs: 4000, maxWaiting: 64, memoryMb: 192 };

/** A reader of the web that the fetch reaches; it keeps to robots.txt. */
export function openPageReader({ fetch, metrics, log, threads }: Options): PageReader {
  const robots = openRobots(fetch.fetch);
  const parser: Parser = openThreads({ script: new URL('./page-worker.ts', import.meta.url), ...PARSING, ...threads });
  const permit = async (url: URL, signal: AbortSignal): Promise<void> => {
    fetch.check(url);
    await robots.check(url, signal);
  };
  return {
    read: async (address, signal) => {
      const limit = AbortSignal.timeout(READ_MS);
      try {
        const page = await readPage({ fetch, permit, parser }, address, AbortSignal.any([signal, limit]));
        pageMetrics(metrics).fetches.inc({ outcome: 'read' });
        return page;
      } catch (error) {
        const ended = endOf(error, signal, limit);
        pageMetrics(metrics).fetches.inc({ outcome: ended.outcome });
        log.debug({ host: URL.parse(address)?.host, outcome: ended.outcome }, 'a page was not read');
        throw ended;
      }
    },
    prepare: () => parser.prepare(),
    close: () => parser.close(),
  };
}

async function readPage(
  { fetch, permit, parser }: { fetch: GuardedFetch; permit: Permit; parser: Parser },
  address: string,
  signal: AbortSignal,
): Promise<PageText> {
  const url = URL.parse(address);
  if (!url) throw new Refusal('refused_address', 'That is no address of a page.');
  url.hash = '';
  const answer = await fetch.fetch(url, {
    headers: { accept: 'text/html, application/xhtml+xml, text/plain;q=0.8' },
    maxBytes: BYTES,
    milliseconds: READ_MS,
    signal,
    before: (hop) => permit(hop, signal),
    wantsBody,
  });
  return pageOf(answer, parser, signal);
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

async function pageOf(answer: FetchAnswer, parser: Parser, signal: AbortSignal): Promise<PageText> {
  // A copy: small bodies lie in a buffer that others share.
  const raw: RawPage = { bytes: new Uint8Array(answer.body), contentType: answer.header('content-type') ?? '', isHtml: HTML.has(typeOf(answer)) };
  const page = await parser.run(raw, signal).catch((error: unknown) => {
    throw error instanceof ThreadFailed ? new Failure('failed_parsing', `The page could not be made out: ${error.message}.`, error) : error;
  });
  if ('failed' in page) throw new Failure('failed_parsing', `The page could not be made out: ${page.failed}.`);
  if (page.text === '') throw new Failure('failed_empty', 'The page holds no readable text.');
  return { url: answer.url.href, ...mapTexts(page, storable) };
}

function endOf(error: unknown, caller: AbortSignal, limit: AbortSignal): Refusal | Failure {
  const known = asPageError(error);
  if (known) return known;
  if (caller.aborted) {
    const late = caller.reason instanceof DOMException && caller.reason.name === 'TimeoutError';
    return late
      ? new Failure('timeout', 'The page did not come in the time that was given for it.', error)
      : new Failure('cancelled', 'The reading of the page was called off.', error);
  }
  if (limit.aborted) return new Failure('timeout', `The page did not come within ${READ_MS / 1000} s.`, error);
  return new Failure('failed_network', 'The page could not be read.', error);
}
