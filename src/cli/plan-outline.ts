import type { BuildNode } from '#features/build-graphs';
import { dayOf, KINDS } from '#features/report-parts';
import { count, listOf, shorten } from '#lib/text.ts';
import type { MadePlan } from './make-plan.ts';
import { citing, entries, entry, line, lines, outline, section, type Branch, type Cite, type Line, type Outline } from './outline.ts';

/** Criteria of a main part that are shown in brief; a part below it has one. */
const BRIEF_CRITERIA = 3;
const BRIEF_LENGTH = 160;
const NAMED_FEATURES = 3;

type Days = { low: number; high: number };
type Form = 'whole' | 'brief';
type Context = {
  form: Form;
  cite: Cite;
  critical: ReadonlySet<string>;
  numberOf: ReadonlyMap<string, string>;
  labelOf: ReadonlyMap<string, string>;
};

const RISKS = { green: '', yellow: 'some risk', red: 'high risk' };

/** `half a day`, `1 day`, `3 to 8 days`. */
export function daysInWords({ low, high }: Days): string {
  if (low !== high) return `${low} to ${count(high, 'day')}`;
  return low === 0.5 ? 'half a day' : count(low, 'day');
}

/** A plan as it is read: order, tree, longest chain, lanes, and the sources that its parts cite. */
export function planOutline({ graph, artifact, projectId, researchId }: MadePlan, form: Form): Outline {
  const cited = new Set(everyNode(graph.nodes).flatMap(({ evidence_ids: ids }) => ids));
  const sources = artifact.evidence.filter(({ id }) => cited.has(id));
  const criticalIds = new Set(graph.critical_path.map(({ node_id: id }) => id));
  const context: Context = {
    form,
    cite: citing(sources.map(({ id }) => id)),
    critical: withAncestors(graph.nodes, criticalIds),
    numberOf: new Map(numbered(graph.nodes)),
    labelOf: new Map(graph.selected_features.map(({ id, label }) => [id, label])),
  };
  const total = graph.total_days;
  const size = everyNode(graph.nodes).length;
  return outline({
    title: graph.title,
    category: 'Build plan',
    summary:
      `${count(size, 'part')} under ${count(graph.nodes.length, 'main part')}: ${daysInWords(total)} of work for one person, ` +
      `${daysInWords(total.critical_path)} at the least with enough people side by side.`,
    sections: [
      section('In which order', [lines([line(graph.build_order_rationale)])]),
      section('What to build', [{ kind: 'tree', branches: graph.nodes.flatMap((node) => branchesOf(node, context)) }]),
      section(`The longest chain: ${daysInWords(total.critical_path)}`, [
        entries(
          null,
          graph.critical_path.map(({ node_id: id, name, days }) =>
            entry(`${context.numberOf.get(id) ?? ''} ${name}`, [], { tags: [daysInWords(days)] }),
          ),
        ),
      ]),
      section(`Side by side: ${count(graph.parallel_lanes.length, 'lane')}`, [
        entries(
          null,
          graph.parallel_lanes.map(({ lane, nodes, days }) =>
            entry(
              `Lane ${lane}`,
              [
                line(
                  nodes
                    .map((node) => `${context.numberOf.get(node.node_id) ?? ''} ${node.name} (day ${node.start_day} to ${node.end_day})`)
                    .join('; '),
                ),
              ],
              { tags: [daysInWords(days)] },
            ),
          ),
        ),
      ]),
      section('Sources', [
        entries(
          null,
          sources.map((row) =>
            entry(row.title || 'Untitled', [line(form === 'whole' ? row.snippet : '')], {
              url: row.source_url,
              tags: [KINDS[row.source_kind], dayOf(row.fetched_at)],
            }),
          ),
          true,
        ),
      ]),
      section('About this plan', [
        lines([
          line('◆ marks the longest chain. Days are working days of one person, from an easy to a hard course.'),
          line(rests(graph.engine, researchId, projectId)),
        ]),
      ]),
    ],
  });
}

function rests(engine: MadePlan['graph']['engine'], researchId: string, projectId: string): string {
  const by = engine?.planner === 'model' ? `a language model${engine.model ? ` (${engine.model})` : ''}` : 'rules over a library of build patterns';
  return `Planned by ${by} on research ${researchId} of project ${projectId}.`;
}

function branchesOf(node: BuildNode, context: Context): Branch[] {
  const { form, cite, critical, numberOf } = context;
  const about =
    node.depth === 0 ? mainLines(node, context) : [line(form === 'whole' ? node.description : ''), doneWhen(node, context), ...needs(node, context)];
  const named = entry(node.name, form === 'brief' && node.depth > 0 ? [doneWhen(node, context)] : about, {
    tags: [daysInWords(node.effort_days), RISKS[node.risk]],
  });
  const marks = form === 'whole' && node.depth > 0 ? cite(node.evidence_ids) : [];
  return [
    {
      ...named,
      lines: marks.length > 0 ? [...named.lines, line('', marks)] : named.lines,
      depth: node.depth,
      number: numberOf.get(node.id) ?? '',
      marked: critical.has(node.id),
    },
    ...node.children.flatMap((child) => branchesOf(child, context)),
  ];
}

const mainLines = (node: BuildNode, context: Context): Line[] => [
  line(context.form === 'whole' ? node.description : shorten(node.description, BRIEF_LENGTH)),
  ...needsOrNone(node, context),
  doneWhen(node, context),
  comesFrom(node, context),
];

function doneWhen({ acceptance_criteria: criteria, depth }: BuildNode, { form }: Context): Line {
  const shown = form === 'whole' ? criteria : criteria.slice(0, depth === 0 ? BRIEF_CRITERIA : 1);
  const texts = shown.map((text) => (form === 'whole' ? text : shorten(text, BRIEF_LENGTH)).replace(/\.$/, ''));
  return line(
    texts.length > 0
      ? `Done when: ${texts.join('; ')}${shown.length < criteria.length && depth === 0 ? ` (and ${criteria.length - shown.length} more)` : ''}.`
      : '',
  );
}

const needsOrNone = (node: BuildNode, context: Context): Line[] =>
  node.depends_on.length > 0 ? needs(node, context) : [line('Needs nothing before it.')];

function needs(node: BuildNode, { form, numberOf }: Context): Line[] {
  if (node.depends_on.length === 0) return [];
  const each = node.depends_on.map(({ node_id: id, reason }) => {
    const number = numberOf.get(id) ?? '';
    return form === 'whole' && reason ? `${number} (${reason.replace(/\.$/, '')})` : number;
  });
  return [line(`After ${listOf(each)}.`)];
}

/** The features that a part serves, and the sources behind them. */
function comesFrom({ feature_ids: ids, evidence_ids: evidence }: BuildNode, { cite, labelOf }: Context): Line {
  const labels = ids.flatMap((id) => labelOf.get(id) ?? []);
  const shown = labels.slice(0, NAMED_FEATURES).map((label) => `"${label}"`);
  const more = labels.length - shown.length;
  const from =
    labels.length === 0
      ? 'the idea itself'
      : labels.length === labelOf.size && labels.length > 1
        ? 'every feature'
        : listOf(more > 0 ? [...shown, `${more} more`] : shown);
  return line(`Comes from ${from}.`, cite(evidence));
}

const everyNode = (nodes: readonly BuildNode[]): BuildNode[] => nodes.flatMap((node) => [node, ...everyNode(node.children)]);

const numbered = (nodes: readonly BuildNode[], above = ''): [string, string][] =>
  nodes.flatMap((node, at) => [[node.id, `${above}${at + 1}`] as [string, string], ...numbered(node.children, `${above}${at + 1}.`)]);

/** What is on the longest chain and what holds a part of it. */
function withAncestors(nodes: readonly BuildNode[], marked: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  const visit = (node: BuildNode): boolean => {
    const below = node.children.map(visit).some(Boolean);
    const on = below || marked.has(node.id);
    if (on) found.add(node.id);
    return on;
  };
  for (const node of nodes) visit(node);
  return found;
}
