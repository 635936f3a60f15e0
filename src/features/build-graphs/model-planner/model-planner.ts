import { shorten } from '#lib/text.ts';
import { ModelError, type ObjectModel, type ModelCall } from '#platform/llm/models.ts';
import { checkPlan } from '../check-plan.ts';
import type { Material, NodeView, Plan, Planner, PlanRun } from '../planner.ts';
import { assessByRules } from '../rule-planner/assess.ts';
import { servesOf } from '../rule-planner/plan-roots.ts';
import { partsByRules, rootsByRules } from '../rule-planner/rule-planner.ts';
import {
  CHILDREN_SYSTEM,
  childrenPrompt,
  PlanAnswer,
  RISK_SYSTEM,
  RiskAnswer,
  riskPrompt,
  ROOTS_SYSTEM,
  rootsPrompt,
  showResearch,
} from './prompts.ts';
import { planLock } from './plan-lock.ts';
import { readProposal } from './read-proposal.ts';

const FEWEST_CHILDREN = 2;

/**
 * Plans with a language model: one call for the roots, one for each node that is taken apart. What offends in an answer is
 * dropped once; where nothing sound is left, and for features it forgot, the rule planner's version stands in.
 */
export function modelPlanner(model: ObjectModel): Planner {
  const ask = async <T>(call: Omit<ModelCall<T>, 'signal'>, run: PlanRun): Promise<T> => {
    const { object, usage } = await model.object({ ...call, signal: run.signal });
    run.spend(usage);
    return object;
  };
  return {
    engine: { planner: 'model', provider: model.provider, model: model.model },
    roots: async (material, run) => {
      const shown = showResearch(material);
      const answer = await ask({ name: 'build_roots', system: ROOTS_SYSTEM, prompt: rootsPrompt(material, shown), schema: PlanAnswer }, run);
      return withForgotten(checkPlan(readProposal(answer.nodes, material, shown, null)), material);
    },
    children: async (material, node, run) => {
      const shown = showResearch(material);
      try {
        const call = { name: 'build_children', system: CHILDREN_SYSTEM, prompt: childrenPrompt(material, shown, node), schema: PlanAnswer };
        const answer = await ask(call, run);
        const plan = checkPlan(readProposal(answer.nodes, material, shown, node));
        return plan.nodes.length >= FEWEST_CHILDREN ? plan : byRules(material, node, plan.repairs);
      } catch (error) {
        if (error instanceof ModelError && error.reason === 'malformed') return byRules(material, node, 0);
        throw error;
      }
    },
    assess: async (material, node, run) => {
      const answer = await ask(
        { name: 'build_risk', system: RISK_SYSTEM, prompt: riskPrompt(material, showResearch(material), node), schema: RiskAnswer },
        run,
      );
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
