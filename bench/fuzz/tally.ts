import type { Exchange } from './exchange.ts';
import type { Result } from './lane.ts';

/** A 5xx that is not stated, an answer without id or detail, or no answer. */
export type Violation = { name: string; what: string; request: string };

export type Tally = {
  /** @param before what was sent before it on the same connection, and not yet answered then */
  count(exchange: Exchange, result: Result, before?: Exchange): void;
  /** How often each status came, per operation; `closed` where none did. */
  statuses: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** Milliseconds of the slowest answer, per operation. */
  slowest: ReadonlyMap<string, number>;
  violations: readonly Violation[];
};

const SHOWN = 600;

export function openTally(): Tally {
  const statuses = new Map<string, Map<string, number>>();
  const slowest = new Map<string, number>();
  const violations: Violation[] = [];
  return {
    statuses,
    slowest,
    violations,
    count: (exchange, result, before) => {
      const own = statuses.get(exchange.name) ?? new Map<string, number>();
      const status = result.status === null ? 'closed' : String(result.status);
      statuses.set(exchange.name, own.set(status, (own.get(status) ?? 0) + 1));
      slowest.set(exchange.name, Math.max(slowest.get(exchange.name) ?? 0, result.ms));
      const what = problemOf(exchange, result);
      if (what) violations.push({ name: exchange.name, what, request: shown(exchange) + (before ? `\n    after ${shown(before)}` : '') });
    },
  };
}

const shown = ({ bytes }: Exchange): string =>
  JSON.stringify(bytes.toString('latin1', 0, SHOWN)) + (bytes.length > SHOWN ? ` and ${bytes.length - SHOWN} bytes` : '');

function problemOf({ stated, kind }: Exchange, { status, answer, problem }: Result): string | undefined {
  if (problem && kind !== 'left') return problem;
  if (status === null) return undefined;
  if (status >= 500 && !stated.has(status)) return `${status} ${answer?.body.toString('utf8').slice(0, 200) ?? ''}`;
  if (!answer) return Number.isNaN(status) ? 'an answer that is no HTTP' : undefined;
  if (!/^[0-9a-f]{16}$/.test(answer.headers.get('x-request-id') ?? '')) return `${status} without a request id`;
  if (status >= 400 && answer.body.length > 0 && !hasDetail(answer.body))
    return `${status} without a detail: ${answer.body.toString('utf8').slice(0, 80)}`;
  return undefined;
}

function hasDetail(body: Buffer): boolean {
  try {
    return 'detail' in (JSON.parse(body.toString('utf8')) as object);
  } catch {
    return false;
  }
}
