import { Histogram } from 'prom-client';
import { defineMetrics } from '../observability/metrics.ts';

export const runMetrics = defineMetrics((registers) => ({
  stages: new Histogram({
    name: 'pipeline_stage_duration_seconds',
    help: 'Time of one pipeline stage.',
    labelNames: ['pipeline', 'stage', 'outcome'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers,
  }),
}));
