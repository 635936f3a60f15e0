import { Gauge, Histogram } from 'prom-client';
import { defineMetrics } from '../observability/metrics.ts';

export const httpMetrics = defineMetrics((registers) => ({
  requests: new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer a request, streams excluded.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  }),
  openStreams: new Gauge({ name: 'streams_open', help: 'Event streams being followed.', registers }),
}));
