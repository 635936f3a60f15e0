import { Counter } from 'prom-client';
import { defineMetrics } from '../../observability/metrics.ts';

export const pageMetrics = defineMetrics((registers) => ({
  fetches: new Counter({ name: 'page_fetches_total', help: 'Pages fetched.', labelNames: ['outcome'], registers }),
}));
