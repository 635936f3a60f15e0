import { Counter } from 'prom-client';
import { defineMetrics } from '../observability/metrics.ts';

export const modelMetrics = defineMetrics((registers) => ({
  calls: new Counter({ name: 'model_calls_total', help: 'Calls to language models.', labelNames: ['provider', 'outcome'], registers }),
  tokens: new Counter({
    name: 'model_tokens_total',
    help: 'Tokens that language models counted.',
    labelNames: ['provider', 'direction'],
    registers,
  }),
}));
