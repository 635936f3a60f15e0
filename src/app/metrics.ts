import { reactionMetrics } from '#platform/domain-events/reaction-metrics.ts';
import { httpMetrics } from '#platform/http/http-metrics.ts';
import { jobMetrics } from '#platform/jobs/job-metrics.ts';
import { modelMetrics } from '#platform/llm/model-metrics.ts';
import { openMetrics, type Metrics } from '#platform/observability/metrics.ts';
import { pageMetrics } from '#platform/ports/page-reader/page-metrics.ts';
import { pushMetrics } from '#platform/ports/push-gateway/push-metrics.ts';
import { searchMetrics } from '#platform/ports/web-search/search-metrics.ts';
import { hubMetrics } from '#platform/realtime/hub-metrics.ts';
import { runMetrics } from '#platform/runs/run-metrics.ts';

/** Each part that counts something; so that what was not counted yet is shown as well. */
const counting = [httpMetrics, jobMetrics, runMetrics, modelMetrics, reactionMetrics, hubMetrics, searchMetrics, pageMetrics, pushMetrics];

/** @param options.defaults whether the process itself is measured too */
export function openAllMetrics(options: { defaults: boolean }): Metrics {
  const metrics = openMetrics(options);
  for (const declare of counting) declare(metrics);
  return metrics;
}
