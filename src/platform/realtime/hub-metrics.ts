import { Counter, Gauge } from 'prom-client';
import { defineMetrics } from '../observability/metrics.ts';

export const hubMetrics = defineMetrics((registers) => ({
  sockets: new Gauge({ name: 'sockets_open', help: 'Sockets that are open.', registers }),
  delivered: new Counter({ name: 'socket_messages_total', help: 'Messages written to sockets.', registers }),
  dropped: new Counter({ name: 'socket_messages_dropped_total', help: 'Messages that slow readers missed.', registers }),
  closed: new Counter({ name: 'sockets_closed_total', help: 'Sockets that the service closed.', labelNames: ['code'], registers }),
}));
