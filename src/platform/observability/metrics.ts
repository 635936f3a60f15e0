import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

export type Metrics = ReturnType<typeof openMetrics>;

/** What `/metrics` shows, in Prometheus' units: seconds and bytes. */
export function openMetrics(options: { defaults?: boolean } = {}) {
  const registry = new Registry();
  if (options.defaults) collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    requests: new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time to answer a request, streams excluded.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    openStreams: new Gauge({ name: 'streams_open', help: 'Event streams being followed.', registers }),
    jobs: new Histogram({
      name: 'job_duration_seconds',
      help: 'Time to work one background job.',
      labelNames: ['job', 'outcome'],
      buckets: [0.01, 0.05, 0.25, 1, 5, 15, 60, 300],
      registers,
    }),
    stages: new Histogram({
      name: 'pipeline_stage_duration_seconds',
      help: 'Time of one pipeline stage.',
      labelNames: ['pipeline', 'stage', 'outcome'],
      buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
      registers,
    }),
    modelCalls: new Counter({
      name: 'model_calls_total',
      help: 'Calls to language models.',
      labelNames: ['provider', 'outcome'],
      registers,
    }),
    modelTokens: new Counter({
      name: 'model_tokens_total',
      help: 'Tokens that language models counted.',
      labelNames: ['provider', 'direction'],
      registers,
    }),
    webSearches: new Counter({ name: 'web_searches_total', help: 'Web searches.', labelNames: ['outcome'], registers }),
    pageFetches: new Counter({ name: 'page_fetches_total', help: 'Pages fetched.', labelNames: ['outcome'], registers }),
  };
}
