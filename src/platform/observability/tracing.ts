import { context, SpanStatusCode, trace, type Attributes, type Span, type Tracer } from '@opentelemetry/api';

export type Tracing = { stop(): Promise<void> };

const tracer = (): Tracer => trace.getTracer('groundwork');

/** Sends spans to an OTLP endpoint over HTTP; without one nothing is loaded and spans cost nothing. */
export async function startTracing(endpoint: string | undefined, version: string): Promise<Tracing> {
  if (!endpoint) return { stop: async () => {} };
  const [{ NodeTracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` });
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'groundwork', 'service.version': version }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  provider.register();
  return { stop: () => provider.shutdown() };
}

/** A span for what is no single promise; `end` with an error marks it as failed. */
export function openSpan(name: string, attributes: Attributes): { end(error?: unknown): void } {
  const span = tracer().startSpan(name, { attributes });
  return {
    end: (error) => {
      if (error !== undefined) fail(span, error);
      span.end();
    },
  };
}

const fail = (span: Span, error: unknown): unknown =>
  span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' });

/** Runs `work` inside a span; a throw marks the span as failed and goes on. */
export async function traced<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  const span = tracer().startSpan(name, { attributes });
  try {
    return await context.with(trace.setSpan(context.active(), span), work);
  } catch (error) {
    fail(span, error);
    throw error;
  } finally {
    span.end();
  }
}
