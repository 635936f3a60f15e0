import { shorten } from '#lib/text.ts';
import { openFence } from '#platform/llm/material.ts';
import { ModelError, type ObjectModel, type ModelCall } from '#platform/llm/models.ts';
import { checkPlan } from '../check-plan.ts';
import { forFirstRelease } from '../first-release.ts';
import type { Material, NodeView, Plan, Planner, PlanRun } from '../planner.ts';
import { assessByRules } from '../rule-planner/assess.ts';
import { servesOf } from '../rule-planner/plan-roots.ts';
import { partsByRules, rootsByRules } from '../rule-planner/rule-planner.ts';
import {
  CHILDREN_SYSTEM,
  ChildrenAnswer,
  childrenPrompt,
  PlanAnswer,
  RISK_SYSTEM,
  RiskAnswer,
  riskPrompt,
  ROOTS_SYSTEM,
  rootsPrompt,
  showMaterial,
} from './prompts.ts';
import { planLock } from './plan-lock.ts';
import { readProposal } from './read-proposal.ts';

/** Nodes that one question asks to take apart: an answer on more of them grows too long. */
const AT_ONCE = 6;

/**
 * Plans with a language model: one call for the roots, one for several nodes that are taken apart. What offends in an
 * answer is dropped once, what it leaves empty stays empty; the rules plan chosen features that it forgot, and stand in
 * for an answer that cannot be read.
 */
export function modelPlanner(model: ObjectModel): Planner {
  // One code for the whole run, so that what every question begins with is the same.
  const fence = openFence();
  const ask = async <T>(call: Omit<ModelCall<T>, 'signal'>, run: PlanRun): Promise<T> => {
    const { object, usage } = await model.object({ ...call, signal: run.signal });
    run.spend(usage);
    return object;
  };
  const takeApart = async (material: Material, nodes: readonly NodeView[], run: PlanRun): Promise<Plan[]> => {
    const shown = showMaterial(material, fence);
    try {
      const call = { name: 'build_children', system: CHILDREN_SYSTEM, prompt: childrenPrompt(shown, nodes, fence), schema: ChildrenAnswer };
      const { parts } = await ask(call, run);
      return nodes.map((node) => {
        const answered = parts.find(({ of }) => of === node.key) ?? (nodes.length === 1 ? parts[0] : undefined);
        return answered ? checkPlan(readProposal(answered.nodes, material, shown, node)) : byRules(material, node, 0);
      });
    } catch (error) {
      if (error instanceof ModelError && error.reason === 'malformed') return nodes.map((node) => byRules(material, node, 0));
      throw error;
    }
  };
  return {
    engine: { planner: 'model', provider: model.provider, model: model.model },
    roots: async (material, run) => {
      const shown = showMaterial(material, fence);
      const answer = await ask({ name: 'build_roots', system: ROOTS_SYSTEM, prompt: rootsPrompt(shown), schema: PlanAnswer }, run);
      return forFirstRelease(withForgotten(checkPlan(readProposal(answer.nodes, material, shown, null)), material));
    },
    children: async (material, nodes, run) => {
      const groups = Array.from({ length: Math.ceil(nodes.length / AT_ONCE) }, (_, at) => nodes.slice(at * AT_ONCE, (at + 1) * AT_ONCE));
      return (await Promise.all(groups.map((group) => takeApart(material, group, run)))).flat();
    },
    assess: async (material, node, run) => {
      const prompt = riskPrompt(showMaterial(material, fence), node, fence);
      const answer = await ask({ name: 'build_risk', system: RISK_SYSTEM, prompt, schema: RiskAnswer }, run);
      const { sound } = planLock(material);
      const rationale = sound(answer.rationale);
      if (rationale === '') return assessByRules(material, node);
      const texts = (list: readonly string[]) =>
        list
          .map((text) => shorten(sound(text), 400))
          .filter(Boolean)
          .slice(0, 6);
      return { risk: answer.risk, rationale: shorten(rationale, 800), reasons: texts(answer.reasons), mitigations: texts(answer.mitigations) };
    },
  };
}

/** The rule planner's parts of a node, counted as a fallback. */
export const byRules = (material: Material, node: NodeView, repairs: number): Plan => ({
  ...partsByRules(material, node),
  repairs,
  fallbacks: 1,
});

/** Features that no proposed node serves get the rule planner's node; without any sound node the whole plan is its. */
function withForgotten(plan: Plan, material: Material): Plan {
  const ruled = rootsByRules(material);
  if (plan.nodes.length === 0) return { ...ruled, repairs: plan.repairs, fallbacks: ruled.nodes.length };
  const served = new Set(plan.nodes.flatMap(({ featureIds }) => featureIds));
  const forgotten = material.features.filter(({ id }) => !served.has(id));
  if (forgotten.length === 0) return plan;
  const standIns = ruled.nodes.filter((node) => forgotten.some(({ id }) => servesOf(node) === id));
  const keys = new Set(plan.nodes.map(({ key }) => key));
  const added = standIns.map((node) => ({ ...node, dependsOn: node.dependsOn.filter(({ key }) => keys.has(key)) }));
  const checked = checkPlan({ nodes: [...plan.nodes, ...added], repairs: plan.repairs, fallbacks: plan.fallbacks });
  return { ...checked, fallbacks: checked.fallbacks + added.length };
}
