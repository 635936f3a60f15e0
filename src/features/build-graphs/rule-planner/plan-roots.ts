import { UNKNOWN_DAYS, type LibraryMatch } from '#features/feature-research';
import { sha256 } from '#lib/ids.ts';
import { capital, shorten, slugify } from '#lib/text.ts';
import { sumDays } from '../effort.ts';
import type { Material, PlannedNode } from '../planner.ts';
import type { Days, SelectedFeature } from '../schema.ts';
import { clausesOf } from './decompose.ts';
import { matchPatterns, mentionedPatterns } from './match.ts';
import { openPatterns, type Part, type Pattern } from './patterns.ts';
import { saysShell, shellFor } from './shell.ts';
import { supportOf, type Support } from './support.ts';

const SHELLS = new Set(['mobile-shell', 'web-shell', 'browser-extension', 'command-line']);
const LAYERS = ['foundation', 'product', 'business', 'reach', 'operations'] as const;
const EVIDENCE = 8;
const SEVERAL = 2;
/** A second pattern has to be asked for as plainly as this to be built beside the first. */
const ALSO_ASKED = 1.1;
/** Parts that are no feature's own; what fewer features need is left out first. */
const MOST_FOUNDATIONS = 6;

type Match = LibraryMatch<Pattern>;
/** A feature with the pattern that builds it, if one fits. */
type Wanted = { feature: SelectedFeature; support: Support; match: Match | undefined; also: Match | undefined };

/** Root nodes for the selected features and for what they stand on, each foundation once, foundations first. */
export function planRoots(material: Material): PlannedNode[] {
  const wanted = material.features.map((feature) => wantedOf(feature, material));
  const firstOf = new Map<string, Wanted>();
  for (const entry of wanted) if (entry.match && !firstOf.has(entry.match.value.id)) firstOf.set(entry.match.value.id, entry);
  const reasons = collectFoundations(wanted, firstOf, material);
  const roots = [...reasons].flatMap(([id, why]) => {
    const pattern = openPatterns().get(id);
    return pattern ? [foundationRoot(pattern, why, wanted)] : [];
  });
  const shell = roots.find(({ key }) => SHELLS.has(key));
  for (const entry of wanted) {
    const first = entry.match ? firstOf.get(entry.match.value.id) : undefined;
    const root =
      !entry.match || !first ? ownRoot(entry) : first === entry ? patternRoot(entry, entry.match.value) : furtherRoot(entry, entry.match.value);
    if (shell && entry.match && shell.key !== root.key) root.dependsOn.push({ key: shell.key, reason: 'Its screens are part of it' });
    roots.push(root);
  }
  return inOrder(withNeeds(roots, wanted), wanted);
}

function wantedOf(feature: SelectedFeature, material: Material): Wanted {
  const support = supportOf(feature, material);
  const [best, ...others] = matchPatterns(feature.label, support.description);
  const also = others.find(({ words, score }) => score >= ALSO_ASKED && [...words].some((word) => !best?.words.has(word)));
  return { feature, support, match: best, also };
}

type Reasons = { texts: string[]; features: Set<string> };

/** Patterns that are needed and that no feature asks for itself, with why and for which features. Where no pattern fits anything, none is. */
function collectFoundations(wanted: readonly Wanted[], firstOf: ReadonlyMap<string, Wanted>, material: Material): Map<string, Reasons> {
  const reasons = new Map<string, Reasons>();
  const add = (id: string, text: string, features: readonly string[]) => {
    if (firstOf.has(id)) return;
    const entry = reasons.get(id) ?? { texts: [], features: new Set<string>() };
    if (text && !entry.texts.includes(text)) entry.texts.push(text);
    for (const feature of features) entry.features.add(feature);
    reasons.set(id, entry);
  };
  const known = wanted.filter(({ match }) => match);
  for (const { feature, match, also } of known) {
    for (const need of match?.value.needs ?? []) add(need.pattern, need.reason, [feature.id]);
    if (also) add(also.value.id, `Asked for with ${feature.label}`, [feature.id]);
  }
  const everything = wanted.map(({ feature }) => feature.id);
  for (const { pattern, word } of mentionedPatterns(material.idea)) add(pattern.id, `The idea speaks of “${word}”`, everything);
  const kept = new Map([...reasons].toSorted(([, left], [, right]) => right.features.size - left.features.size).slice(0, MOST_FOUNDATIONS));
  const isProgram = known.length >= Math.min(SEVERAL, wanted.length) || saysShell(material);
  if (isProgram && ![...firstOf.keys()].some((id) => SHELLS.has(id))) kept.set(shellFor(material), { texts: [], features: new Set(everything) });
  return kept;
}

function foundationRoot(pattern: Pattern, why: Reasons, wanted: readonly Wanted[]): PlannedNode {
  const because = why.texts.slice(0, 3).map(lower).join('; ');
  return {
    ...fromPattern(pattern, null),
    name: pattern.title,
    description: [pattern.summary, because ? `Needed because: ${because}.` : ''].filter(Boolean).join(' '),
    featureIds: [...why.features],
    evidenceIds: evidenceOf(wanted.filter(({ feature }) => why.features.has(feature.id) && why.features.size < wanted.length)),
    expands: 'later',
  };
}

/** What several features rest on, the strongest of each first. What all of them stand on comes from the idea and rests on none in particular. */
function evidenceOf(wanted: readonly Wanted[]): string[] {
  const most = Math.max(0, ...wanted.map(({ support }) => support.evidenceIds.length));
  const inTurns = Array.from({ length: most }, (_, at) => wanted.flatMap(({ support }) => support.evidenceIds[at] ?? [])).flat();
  return [...new Set(inTurns)].slice(0, EVIDENCE);
}

const nameOf = ({ label }: SelectedFeature): string => capital(shorten(label, 120));

/** What was found for a feature, beside what its part says itself. */
const warned = ({ risks, unseen }: Support): { reason: string; mitigation: string }[] => [
  ...risks,
  ...(unseen
    ? [{ reason: 'Nobody who is known is recorded with it: that it is wanted is not shown yet', mitigation: 'Do it by hand for five users first' }]
    : []),
];

function patternRoot({ feature, support }: Wanted, pattern: Pattern): PlannedNode {
  const base = fromPattern(pattern, feature.id);
  return {
    ...base,
    name: nameOf(feature),
    description: sentences(support.description || pattern.summary, support.why, support.approach),
    risk: support.unseen && base.risk === 'green' ? 'yellow' : base.risk,
    riskReasons: [...base.riskReasons, ...warned(support).map(({ reason }) => reason)],
    mitigations: [...base.mitigations, ...warned(support).map(({ mitigation }) => mitigation)],
    featureIds: [feature.id],
    evidenceIds: support.evidenceIds,
    origin: { by: 'pattern', pattern: pattern.id, part: '', feature: feature.id, own: true },
  };
}

function fromPattern(pattern: Pattern, feature: string | null): PlannedNode {
  const { waiting } = pattern;
  return {
    key: pattern.id,
    name: pattern.name,
    description: '',
    risk: pattern.risk.level,
    riskReasons: [...pattern.risk.reasons],
    mitigations: [...pattern.risk.mitigations],
    days: daysOfPattern(pattern),
    waiting: waiting ? { days: { low: waiting.days[0], high: waiting.days[1] }, for: waiting.for } : null,
    acceptance: [...pattern.acceptance],
    dependsOn: [],
    featureIds: [],
    evidenceIds: [],
    expands: 'now',
    origin: { by: 'pattern', pattern: pattern.id, part: '', feature, own: false },
  };
}

export const daysOfPart = (part: Part): Days =>
  part.children.length > 0 ? sumDays(part.children.map(({ days: [low, high] }) => ({ low, high }))) : { low: part.days[0], high: part.days[1] };
const daysOfPattern = (pattern: Pattern): Days => sumDays(pattern.children.map(daysOfPart));

/** A feature that another feature's pattern serves as well: the machinery is there, what differs is left. */
function furtherRoot({ feature, support }: Wanted, pattern: Pattern): PlannedNode {
  const { low, high } = daysOfPattern(pattern);
  return {
    ...ownRoot({ feature, support }),
    description: sentences(support.description || pattern.summary, support.why),
    risk: support.unseen ? 'yellow' : 'green',
    riskReasons: ['Whether it works the same way shows only on real cases', ...warned(support).map(({ reason }) => reason)],
    mitigations: ['Write the cases down before anything is reused', ...warned(support).map(({ mitigation }) => mitigation)],
    days: { low: Math.max(1, low / 3), high: Math.max(2, high / 3) },
    acceptance: [...pattern.acceptance],
    dependsOn: [{ key: pattern.id, reason: 'Uses what is built there' }],
    expands: 'later',
    origin: { by: 'pattern', pattern: pattern.id, part: '', feature: feature.id, own: true },
  };
}

/** A feature that no known way of building fits: said so, and left to estimate. */
function ownRoot({ feature, support }: Pick<Wanted, 'feature' | 'support'>): PlannedNode {
  const asked = clausesOf(support.description);
  return {
    key: `own-${slugify(feature.id, 32)}-${sha256(feature.id).slice(0, 4)}`,
    name: nameOf(feature),
    description: sentences(
      support.description,
      support.why,
      'No known way of building fits it: it is to be estimated, and its days are a placeholder.',
    ),
    risk: 'yellow',
    riskReasons: ['Nothing known says how it is built', ...warned(support).map(({ reason }) => reason)],
    mitigations: ['Look at it for a day and estimate it then', ...warned(support).map(({ mitigation }) => mitigation)],
    days: { ...UNKNOWN_DAYS },
    waiting: null,
    acceptance: asked.length > 0 ? asked.map((text) => `As asked for: ${text}`) : [`As asked for: ${feature.label}`],
    dependsOn: [],
    featureIds: [feature.id],
    evidenceIds: support.evidenceIds,
    expands: asked.length > 1 ? 'later' : 'never',
    origin: { by: 'feature', feature: feature.id },
  };
}

function withNeeds(roots: readonly PlannedNode[], wanted: readonly Wanted[]): PlannedNode[] {
  const keys = new Set(roots.map(({ key }) => key));
  return roots.map((root) => {
    const pattern = openPatterns().get(root.key);
    const also = wanted.find(
      ({ match, feature }) => match && root.featureIds.length === 1 && root.featureIds[0] === feature.id && root.key === match.value.id,
    )?.also;
    const needs = [...(pattern?.needs ?? []), ...(also ? [{ pattern: also.value.id, reason: 'It is asked for with it' }] : [])];
    const known = needs
      .filter((need) => keys.has(need.pattern) && need.pattern !== root.key)
      .map((need) => ({ key: need.pattern, reason: need.reason }));
    const all = [...root.dependsOn, ...known];
    return { ...root, dependsOn: all.filter(({ key }, at) => all.findIndex((other) => other.key === key) === at) };
  });
}

/** What others stand on first, then in the order in which the features were chosen. */
function inOrder(roots: readonly PlannedNode[], wanted: readonly Wanted[]): PlannedNode[] {
  const place = new Map(wanted.map(({ feature }, at) => [feature.id, at]));
  const layer = (root: PlannedNode): number => {
    if (servesOf(root) !== null) return 1;
    return LAYERS.indexOf(openPatterns().get(root.key)?.layer ?? 'product');
  };
  const rank = (root: PlannedNode): number => layer(root) * 1000 + Math.min(...root.featureIds.map((id) => place.get(id) ?? 0), 999);
  return [...roots].sort((left, right) => rank(left) - rank(right));
}

/** The feature whose own node this is; null for a foundation. */
export function servesOf({ origin }: PlannedNode): string | null {
  if (origin.by === 'feature') return origin.feature;
  return origin.by === 'pattern' && origin.own ? origin.feature : null;
}

/** Texts as sentences, one after the other. */
const sentences = (...texts: readonly string[]): string =>
  texts
    .filter(Boolean)
    .map((text) => (/[.!?]$/.test(text) ? text : `${text}.`))
    .join(' ');

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
