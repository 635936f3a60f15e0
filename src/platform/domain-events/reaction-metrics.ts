import { Counter } from 'prom-client';
import { defineMetrics } from '../observability/metrics.ts';

export const reactionMetrics = defineMetrics((registers) => ({
  givenUp: new Counter({
    name: 'reactions_given_up_total',
    help: 'Reactions to events that failed for the last time.',
    labelNames: ['event', 'reaction'],
    registers,
  }),
}));
