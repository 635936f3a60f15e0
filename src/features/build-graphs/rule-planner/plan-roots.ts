import { sha256 } from '#lib/ids.ts';
import { shorten, slugify } from '#lib/text.ts';
import { sumDays } from '../effort.ts';
import type { Material, PlannedNode } from '../planner.ts';
import type { Days, SelectedFeature } from '../schema.ts';
import { ownParts } from './decompose.ts';
import { fill, type Slots } from './fill.ts';
import { FITS, isForeign, matchPatterns, mentionedPatterns, type Match } from './match.ts';
import { openPatterns, type Part, type Pattern } from './patterns.ts';
import { shellFor } from './shell.ts';
import { supportOf, type Support } from './support.ts';
import { saysMore, thingOf } from './thing.ts';
import { readWording, type Wording } from './wording.ts';
import { capital } from './words.ts';

const ALWAYS = ['data-model', 'deployment'] as const;
const SHELLS = new Set(['mobile-shell', 'web-shell', 'browser-extension', 'command-line']);
const LAYERS = ['foundation', 'product', 'business', 'reach', 'operations'] as const;
/** A second pattern has to be asked for as plainly as this to be built beside the first. */
const ALSO_ASKED = 1;
const EVIDENCE = 8;

/** A feature with the pattern that builds it, if one fits. */
type Wanted = { feature: SelectedFeature; support: Support; match: Match | undefined; also: Match | undefined };

/** Root nodes for the selected features and for what they stand on, each foundation once, foundations first. */
export function planRoots(material: Material): PlannedNode[] {
  const wording = readWording(material);
  const wanted = material.features.map((feature) => wantedOf(feature, material));
  const firstOf = new Map<string, Wanted>();
  for (const entry of wanted) if (entry.match && !firstOf.has(entry.match.pattern.id)) firstOf.set(entry.match.pattern.id, entry);
  const reasons = collectFoundations(wanted, firstOf, material, shellFor(material));

  const roots: PlannedNode[] = [];
  for (const [id, why] of reasons) {
    const pattern = openPatterns().get(id);
    if (pattern) roots.push(foundationRoot(pattern, why, wording, wanted));
  }
  const shell = roots.find(({ key }) => SHELLS.has(key));
  for (const entry of wanted) {
    const first = entry.match ? firstOf.get(entry.match.pattern.id) : undefined;
    const root =
      !entry.match || !first
        ? ownRoot(entry, wording)
        : first === entry
          ? patternRoot(entry, entry.match, wording)
          : furtherRoot(entry, entry.match, first, wording);
    if (shell && shell.key !== root.key)
      root.dependsOn.push({ key: shell.key, reason: `Its screens are part of the ${shell.name.charAt(0).toLowerCase()}${shell.name.slice(1)}` });
    roots.push(root);
  }
  return inOrder(withNeeds(roots, wanted, wording), wanted);
}

function wantedOf(feature: SelectedFeature, material: Material): Wanted {
  const support = supportOf(feature, material);
  const [best, ...others] = matchPatterns(feature.label, support.description, isForeign(material.idea)).filter(({ score }) => score >= FITS);
  const also = others.find(({ score, stems }) => score >= ALSO_ASKED && [...stems].some((stem) => !best?.stems.has(stem)));
  return { feature, support, match: best, also };
}

type Reasons = { texts: string[]; features: Set<string> };

/** Patterns that are needed and that no feature asks for itself, with why and for which features. */
function collectFoundations(
  wanted: readonly Wanted[],
  firstOf: ReadonlyMap<string, Wanted>,
  { idea }: Material,
  shell: string,
): Map<string, Reasons> {
  const reasons = new Map<string, Reasons>();
  const add = (id: string, text: string, features: readonly string[]) => {
    if (firstOf.has(id)) return;
    const entry = reasons.get(id) ?? { texts: [], features: new Set<string>() };
    if (text && !entry.texts.includes(text)) entry.texts.push(text);
    for (const feature of features) entry.features.add(feature);
    reasons.set(id, entry);
  };
  const follow = (pattern: Pattern, features: readonly string[], seen: ReadonlySet<string>) => {
    for (const need of pattern.needs) {
      const next = openPatterns().get(need.pattern);
      if (!next || seen.has(next.id)) continue;
      add(next.id, need.reason, features);
      follow(next, features, new Set([...seen, next.id]));
    }
  };
  for (const { feature, match, also } of wanted) {
    for (const asked of [match, also]) if (asked) follow(asked.pattern, [feature.id], new Set([asked.pattern.id]));
    if (also) add(also.pattern.id, `"${feature.label}" asks for it`, [feature.id]);
  }
  const everything = wanted.map(({ feature }) => feature.id);
  for (const id of [...ALWAYS, ...(SHELLS.has([...firstOf.keys()].find((key) => SHELLS.has(key)) ?? '') ? [] : [shell])]) add(id, '', everything);
  for (const { pattern, word } of mentionedPatterns(idea)) add(pattern.id, `The idea speaks of "${word}"`, everything);
  for (const id of reasons.keys()) {
    const pattern = openPatterns().get(id);
    if (pattern) follow(pattern, [...(reasons.get(id)?.features ?? [])], new Set([id]));
  }
  return reasons;
}

const slotsOf = ({ user, object }: Wording, thing = object): Slots => ({ user, object, thing });

function foundationRoot(pattern: Pattern, why: Reasons, wording: Wording, wanted: readonly Wanted[]): PlannedNode {
  // What serves one part alone, or first, is told in that part's words.
  const first =
    pattern.layer === 'product' || (why.features.size === 1 && wanted.length > 1)
      ? wanted.find(({ feature, match }) => match && why.features.has(feature.id))
      : undefined;
  const slots = slotsOf(wording, first?.match ? thingOf(first.feature.label, first.match.stems, wording, first.match.pattern) : undefined);
  return {
    ...fromPattern(pattern, slots, first?.feature.id ?? null),
    name: fill(pattern.title, slots),
    description: [
      fill(pattern.summary, slots),
      why.texts.length > 0
        ? `Needed because: ${why.texts
            .slice(0, 3)
            .map((text) => lower(fill(text, slots)))
            .join('; ')}.`
        : '',
    ]
      .filter(Boolean)
      .join(' '),
    featureIds: [...why.features],
    evidenceIds: evidenceOf(wanted.filter(({ feature }) => why.features.has(feature.id) && why.features.size < wanted.length)),
  };
}

/** What several features rest on, the strongest of each first. What all of them stand on comes from the idea and rests on none in particular. */
function evidenceOf(wanted: readonly Wanted[]): string[] {
  const most = Math.max(0, ...wanted.map(({ support }) => support.evidenceIds.length));
  const inTurns = Array.from({ length: most }, (_, at) => wanted.flatMap(({ support }) => support.evidenceIds[at] ?? [])).flat();
  return [...new Set(inTurns)].slice(0, EVIDENCE);
}

function patternRoot({ feature, support }: Wanted, { pattern, stems }: Match, wording: Wording): PlannedNode {
  const slots = slotsOf(wording, thingOf(feature.label, stems, wording, pattern));
  const base = fromPattern(pattern, slots, feature.id);
  const unseen = unseenRisk(support, wording);
  return {
    ...base,
    name: saysMore(feature.label, stems) ? capital(shorten(feature.label, 120)) : fill(pattern.title, slots),
    description: [fill(pattern.summary, slots), support.why, support.approach].filter(Boolean).join(' '),
    risk: unseen && base.risk === 'green' ? 'yellow' : base.risk,
    riskReasons: [...base.riskReasons, ...support.risks.map(({ reason }) => reason), ...(unseen ? [unseen.reason] : [])],
    mitigations: [...base.mitigations, ...support.risks.map(({ mitigation }) => mitigation), ...(unseen ? [unseen.mitigation] : [])],
    featureIds: [feature.id],
    evidenceIds: support.evidenceIds,
    origin: { by: 'pattern', pattern: pattern.id, part: '', feature: feature.id, own: true },
  };
}

function fromPattern(pattern: Pattern, slots: Slots, feature: string | null): PlannedNode {
  return {
    key: pattern.id,
    name: pattern.name,
    description: '',
    risk: pattern.risk.level,
    riskReasons: pattern.risk.reasons.map((text) => fill(text, slots)),
    mitigations: pattern.risk.mitigations.map((text) => fill(text, slots)),
    days: daysOfPattern(pattern),
    acceptance: pattern.acceptance.map((text) => fill(text, slots)),
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
function furtherRoot(entry: Wanted, { pattern, stems }: Match, first: Wanted, wording: Wording): PlannedNode {
  const root = ownRoot(entry, wording);
  const slots = slotsOf(wording, thingOf(entry.feature.label, stems, wording, pattern));
  return {
    ...root,
    risk: entry.support.unseen ? 'yellow' : 'green',
    riskReasons: [`Whether it really works like "${first.feature.label}" shows only on real cases`, ...root.riskReasons.slice(1)],
    mitigations: ['Write the cases before reusing anything', ...root.mitigations.slice(1)],
    days: { low: Math.max(1, daysOfPattern(pattern).low / 3), high: Math.max(2, daysOfPattern(pattern).high / 3) },
    acceptance: [fill(pattern.acceptance[0] ?? 'The ten written cases give the expected result', slots)],
    dependsOn: [{ key: pattern.id, reason: `Uses what "${first.feature.label}" builds` }],
  };
}

function ownRoot({ feature, support }: Wanted, wording: Wording): PlannedNode {
  const parts = ownParts(feature.label, support.description, wording);
  const unseen = unseenRisk(support, wording);
  return {
    key: ownKey(feature),
    name: capital(shorten(feature.label, 120)),
    description:
      [support.description, support.why].filter(Boolean).join(' ') ||
      `Nothing but its name is given: the ten cases decide what "${feature.label}" is.`,
    risk: 'yellow',
    riskReasons: [
      `No known way of building fits "${feature.label}": the days are a guess until the first case works`,
      ...(unseen ? [unseen.reason] : []),
    ],
    mitigations: ['Stop after the first case and estimate anew', ...(unseen ? [unseen.mitigation] : [])],
    days: sumDays(parts.map(({ days }) => days)),
    acceptance: ['All ten written cases give the expected result', `Four of five ${wording.user.many} succeed without help`],
    dependsOn: [],
    featureIds: [feature.id],
    evidenceIds: support.evidenceIds,
    expands: 'now',
    origin: { by: 'feature', feature: feature.id },
  };
}

/** Ids that differ only in what a slug leaves out keep different keys. */
const ownKey = ({ id }: SelectedFeature): string => `own-${slugify(id, 32)}-${sha256(id).slice(0, 4)}`;

const unseenRisk = ({ unseen }: Support, { user }: Wording) =>
  unseen
    ? {
        reason: `No known rival offers it, so nobody has shown yet that ${user.many} want it`,
        mitigation: `Do it by hand for five ${user.many} before building it`,
      }
    : undefined;

/** Adds the dependencies of the patterns, towards whatever root stands for the pattern that is needed. */
function withNeeds(roots: readonly PlannedNode[], wanted: readonly Wanted[], wording: Wording): PlannedNode[] {
  const keys = new Set(roots.map(({ key }) => key));
  return roots.map((root) => {
    const pattern = openPatterns().get(root.key);
    const also = wanted.find(
      ({ match, feature }) => match && root.featureIds.length === 1 && root.featureIds[0] === feature.id && root.key === match.pattern.id,
    )?.also;
    const model = root.key === 'data-model' || pattern ? [] : [{ pattern: 'data-model', reason: 'It reads and writes what the data model defines' }];
    const needs = [
      ...(pattern?.needs ?? []),
      ...model,
      ...(also ? [{ pattern: also.pattern.id, reason: `"${root.name}" asks for ${lower(also.pattern.name)}` }] : []),
    ];
    const known = needs
      .filter((need) => keys.has(need.pattern) && need.pattern !== root.key)
      .map((need) => ({ key: need.pattern, reason: fill(need.reason, slotsOf(wording)) }));
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

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
