import { Counter } from 'prom-client';
import { defineMetrics } from '../../observability/metrics.ts';

export const searchMetrics = defineMetrics((registers) => ({
  searches: new Counter({ name: 'web_searches_total', help: 'Web searches.', labelNames: ['outcome'], registers }),
}));
