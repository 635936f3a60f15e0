import { notFound } from '#lib/errors.ts';
import type { AppContext } from '#platform/context.ts';
import { ModelError } from '#platform/llm/models.ts';
import type { Principal } from '#platform/principal.ts';
import { ownedNode } from './change-node.ts';
import { choiceOfGraph, plannerOf } from './engine.ts';
import { findOwnedGraph } from './graph-store.ts';
import { loadMaterial } from './material.ts';
import { patchNode } from './node-store.ts';
import type { Assessment } from './planner.ts';
import { assessByRules } from './rule-planner/assess.ts';
import { viewWithin } from './take-apart.ts';

/**
 * Judges a node anew and keeps the result with it; a model that fails or is gone is stood in for by the rules.
 * @throws AppError 404 for a node that is not the caller's
 */
export async function assessRisk(ctx: AppContext, principal: Principal, nodeId: string, signal: AbortSignal): Promise<Assessment> {
  const node = await ownedNode(ctx, principal, nodeId);
  const graph = await findOwnedGraph(ctx.db, principal.userId, node.graph_id);
  if (!graph) throw notFound('Build node');
  const material = await loadMaterial(ctx.db, graph);
  const view = await viewWithin(ctx.db, node);
  const models = await ctx.models.forUser(principal.userId, { feature: 'build-graph' });
  const choice = choiceOfGraph(graph);
  const model = choice ? models.chosen(choice) : choice === undefined ? models.preferred : null;
  const assessment = await plannerOf(model)
    .assess(material, view, { signal, spend: () => {} })
    .catch((error: unknown) => {
      if (!(error instanceof ModelError)) throw error;
      ctx.log.warn({ err: error, node: nodeId }, 'the model did not judge a risk');
      return assessByRules(material, view);
    });
  await patchNode(ctx.db, nodeId, { risk: assessment.risk, riskReasons: assessment.reasons, mitigations: assessment.mitigations });
  return assessment;
}
