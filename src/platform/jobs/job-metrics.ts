import { Histogram } from 'prom-client';
import { defineMetrics } from '../observability/metrics.ts';

export const jobMetrics = defineMetrics((registers) => ({
  durations: new Histogram({
    name: 'job_duration_seconds',
    help: 'Time to work one background job.',
    labelNames: ['job', 'outcome'],
    buckets: [0.01, 0.05, 0.25, 1, 5, 15, 60, 300],
    registers,
  }),
}));
