import { Counter } from 'prom-client';
import { defineMetrics } from '../../observability/metrics.ts';

export const pushMetrics = defineMetrics((registers) => ({
  pushes: new Counter({
    name: 'pushes_total',
    help: 'Pushes to devices, by who sent them and how that ended.',
    labelNames: ['via', 'outcome'],
    registers,
  }),
}));
