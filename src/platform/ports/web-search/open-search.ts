import { z } from 'zod';
import { AppError, upstream } from '#lib/errors.ts';
import type { SearchConfig } from '../../config/search.ts';
import { searchMetrics } from './search-metrics.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { WebSearch } from './port.ts';
import { engineAsker, standardPause, type Pause } from './ask-engine.ts';
import { brave } from './brave.ts';
import { fitQuery, toHits, type Protocol } from './protocol.ts';
import { searxng } from './searxng.ts';
import { tavily } from './tavily.ts';

/**
 * The configured search engine, or undefined when there is none; nothing is connected before the first search.
 * @param pause stands in for the waiting before a second try, in tests
 */
export function openSearch(config: SearchConfig, metrics: Metrics, pause: Pause = standardPause): WebSearch | undefined {
  const protocol = protocolOf(config);
  if (!protocol) return undefined;
  const ask = engineAsker(protocol, pause);
  return {
    provider: protocol.provider,
    search: async (query, { count, signal }) => {
      const asked = fitQuery(query);
      if (asked === '' || count < 1) return [];
      try {
        const hits = toHits(protocol.read(await ask(protocol.request(asked, count), signal)));
        searchMetrics(metrics).searches.inc({ outcome: 'ok' });
        return hits.slice(0, count);
      } catch (error) {
        searchMetrics(metrics).searches.inc({ outcome: !signal.aborted ? 'failed' : isTimeout(signal) ? 'timeout' : 'cancelled' });
        throw failureOf(error, protocol, signal);
      }
    },
  };
}

function protocolOf(config: SearchConfig): Protocol | undefined {
  switch (config.provider) {
    case 'none':
      return undefined;
    case 'searxng':
      return searxng(config.baseUrl);
    case 'brave':
      return brave(config.baseUrl, config.apiKey);
    case 'tavily':
      return tavily(config.baseUrl, config.apiKey);
  }
}

const isTimeout = ({ reason }: AbortSignal): boolean => reason instanceof DOMException && reason.name === 'TimeoutError';

function failureOf(error: unknown, { name }: Protocol, signal: AbortSignal): unknown {
  if (error instanceof AppError) return error;
  if (signal.aborted) return isTimeout(signal) ? upstream(`${name} did not answer in the time that was given for it.`, error) : signal.reason;
  if (error instanceof z.ZodError) return upstream(`${name} answered something that is no answer of its protocol.`, error);
  return upstream(`${name} could not be reached.`, error);
}
