import { Registry, collectDefaultMetrics } from 'prom-client';

/** What `/metrics` shows, in Prometheus' units: seconds and bytes. Each part declares what it counts. */
export type Metrics = { registry: Registry };

export function openMetrics(options: { defaults?: boolean } = {}): Metrics {
  const registry = new Registry();
  if (options.defaults) collectDefaultMetrics({ register: registry });
  return { registry };
}

/** Declares what a part counts: `const mine = defineMetrics((registers) => ({ … }))`, then `mine(metrics).….inc()`. */
export function defineMetrics<T>(declare: (registers: Registry[]) => T): (metrics: Metrics) => T {
  const declared = new WeakMap<Registry, { metrics: T }>();
  return ({ registry }) => {
    const known = declared.get(registry) ?? { metrics: declare([registry]) };
    declared.set(registry, known);
    return known.metrics;
  };
}
