import type { Env } from './env.ts';
import { ConfigError, oneOf, whole } from './read-values.ts';

export type ObservabilityConfig = {
  logLevel: string;
  /** Who may read the metrics: who has the token; and on which port of their own, when there is one. */
  metrics: { token: string | undefined; port: number | undefined; host: string };
  otlpEndpoint: string | undefined;
};

export const readObservability = (env: Env): ObservabilityConfig => ({
  logLevel: oneOf(env, 'LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'info'),
  metrics: readMetrics(env),
  otlpEndpoint: env['OTEL_EXPORTER_OTLP_ENDPOINT'],
});

function readMetrics(env: Env): ObservabilityConfig['metrics'] {
  const host = env['METRICS_HOST'];
  const port = env['METRICS_PORT'] === undefined ? undefined : whole(env, 'METRICS_PORT', 0, 0, 65_535);
  if (host && port === undefined) throw new ConfigError('METRICS_HOST is set without METRICS_PORT.');
  return { token: env['METRICS_TOKEN'], port, host: host ?? '127.0.0.1' };
}
