import { describe, expect, it } from 'vitest';
import type { Material, NodeView, PlannedNode } from '../planner.ts';
import { assessByRules } from './assess.ts';
import { FITS, matchPatterns } from './match.ts';
import { openPatterns } from './patterns.ts';
import { childrenByRules, rootsByRules } from './rule-planner.ts';
import { readWording } from './wording.ts';

const material = (idea: string, ...labels: string[]): Material => ({
  idea,
  features: labels.map((label, at) => ({ id: `f${at}`, label, source: 'manual' })),
  research: [],
  findings: null,
});
const view = (node: PlannedNode, depth = 0): NodeView => ({ ...node, depth, path: [], dependents: [] });
const namesOf = (from: Material): Set<string> =>
  new Set(
    rootsByRules(from)
      .nodes.flatMap((root) => [root.name, ...childrenByRules(from, view(root)).map(({ name }) => name)])
      .map((name) => name.toLowerCase()),
  );

const GROCERIES = material(
  'An app where roommates keep a shared grocery list that learns what they usually buy and splits the cost.',
  'Shared lists',
  'Purchase suggestions',
  'Expense splitting',
  'Expiry date reminders',
);
const CREWS = material(
  'Software for construction firms to schedule crews and track equipment across job sites.',
  'Crew scheduling',
  'Equipment tracking',
  'Time sheets',
  'Reverse auction for unused machines',
);

describe('reading the words of an idea', () => {
  it.each([
    ['An app where roommates keep a shared grocery list', 'roommates', 'grocery lists'],
    ['A tool for independent bookshops to track consignment stock', 'bookshops', 'consignment stocks'],
    ['Track invoices and chase late payments for freelancers', 'freelancers', 'invoices'],
    ['A marketplace where neighbours lend power tools to each other.', 'neighbours', 'power tools'],
    [
      'Am Wochenende wollen wir raus, und jedes Mal endet es beim selben überlaufenen See. Ich hätte gern Touren, die zu Kondition und Wetter passen, mit Höhenprofil, Wegbeschaffenheit und einer Karte ohne Netz.',
      'hikers',
      'maps',
    ],
    ['Neighbours who want to lend tools to each other without losing track of who has what', 'neighbours', 'tools'],
    ['An app where shops put what is left at closing in a suprise bag, and students grab it for a few quid', 'shops', 'surprise bags'],
    [
      'ugh. 40 microservices, someting is slow, WHERE. i grep logs on 6 machines and search log files by hand. put logs + metrics + traces in one place',
      'operations teams',
      'log files',
    ],
  ])('%s', (idea, users, objects) => {
    const wording = readWording(material(idea));
    expect([wording.user.many, wording.object.many]).toEqual([users, objects]);
  });

  it('has words for an idea that names nobody and nothing known', () => {
    const wording = readWording(material('xqzv blorp'));
    expect(wording.user.many.length).toBeGreaterThan(0);
    expect(wording.object.many.length).toBeGreaterThan(0);
  });
});

describe('matching features to patterns', () => {
  it.each([
    ['Receipt scanning', 'ocr'],
    ['Payment reminders', 'reminders'],
    ['Offline mode', 'offline-sync'],
    ['Shared lists', 'sharing'],
    ['Crew scheduling', 'staff-scheduling'],
    ['Rent collection', 'payments'],
    ['SAML single sign-on', 'single-sign-on'],
  ])('%s', (label, pattern) => {
    expect(matchPatterns(label, '')[0]?.pattern.id).toBe(pattern);
  });

  it('fits no pattern to what none describes', () => {
    expect(matchPatterns('Reverse auction for unused machines', '').filter(({ score }) => score >= FITS)).toEqual([]);
  });
});

describe('planning by rules', () => {
  it('gives the same plan for the same material', () => {
    expect(rootsByRules(GROCERIES)).toEqual(rootsByRules(GROCERIES));
  });

  it('serves every feature and adds each foundation once', () => {
    const { nodes, repairs } = rootsByRules(GROCERIES);
    for (const { id } of GROCERIES.features) expect(nodes.some(({ featureIds }) => featureIds.includes(id))).toBe(true);
    expect(new Set(nodes.map(({ key }) => key)).size).toBe(nodes.length);
    expect(nodes.map(({ key }) => key)).toEqual(expect.arrayContaining(['data-model', 'accounts', 'deployment', 'mobile-shell', 'notifications']));
    expect(repairs).toBe(0);
  });

  it('gives every part the features it serves and the evidence of its node', () => {
    const root = rootsByRules(GROCERIES).nodes.find(({ name }) => name.includes('list'));
    const evidenceIds = ['0f8fad5b-d9cb-469f-a165-70867728950e'];
    const parts = root ? childrenByRules(GROCERIES, { ...view(root), evidenceIds }) : [];
    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts) expect(part).toMatchObject({ evidenceIds, featureIds: root?.featureIds });
  });

  it('puts what others stand on first', () => {
    for (const from of [GROCERIES, CREWS]) {
      const placed = new Set<string>();
      for (const node of rootsByRules(from).nodes) {
        for (const { key } of node.dependsOn) expect(placed.has(key), `${node.key} after ${key}`).toBe(true);
        placed.add(node.key);
      }
    }
  });

  it('makes root and part estimates agree', () => {
    for (const root of rootsByRules(GROCERIES).nodes) {
      if (root.origin.by !== 'pattern') continue;
      const parts = childrenByRules(GROCERIES, view(root));
      expect(root.days.low).toBeCloseTo(
        parts.reduce((sum, { days }) => sum + days.low, 0),
        5,
      );
      expect(root.days.high).toBeCloseTo(
        parts.reduce((sum, { days }) => sum + days.high, 0),
        5,
      );
    }
  });

  it('speaks of what a feature is about', () => {
    const reminders = rootsByRules(GROCERIES).nodes.find(({ key }) => key === 'reminders');
    expect(reminders && childrenByRules(GROCERIES, view(reminders)).some(({ name }) => name.includes('expiry date'))).toBe(true);
  });

  it('takes a noun of the label for what the pattern deals with, and no adjective', () => {
    const from = material('Roommates share a flat and split what they buy', 'Receipt scanning', 'Unequal splits');
    const names = [...namesOf(from)].join('; ');
    expect(names).toContain('of receipts');
    expect(names).not.toContain('unequals');
  });

  it('takes apart by its own description what no pattern fits, and says that it guesses', () => {
    const own = rootsByRules(CREWS).nodes.find(({ origin }) => origin.by === 'feature');
    expect(own?.name).toBe('Reverse auction for unused machines');
    expect(own?.risk).toBe('yellow');
    expect(own && childrenByRules(CREWS, view(own)).length).toBeGreaterThanOrEqual(3);
  });

  it('does not build the same machinery twice for two features of one kind', () => {
    const plan = rootsByRules(material('Reminders for dog owners', 'Vaccination reminders', 'Medication reminders')).nodes;
    expect(plan.filter(({ key }) => key === 'reminders')).toHaveLength(1);
    const second = plan.find(({ featureIds }) => featureIds.length === 1 && featureIds[0] === 'f1' && plan.length > 0);
    const own = plan.find(({ origin }) => origin.by === 'feature' && origin.feature === 'f1');
    expect(second).toBeDefined();
    expect(own?.dependsOn.map(({ key }) => key)).toContain('reminders');
  });

  it('adds consent and privacy where an idea touches what is sensitive', () => {
    const plan = rootsByRules(material('Patients with diabetes log glucose and share it with their doctor', 'Glucose log')).nodes;
    expect(plan.map(({ key }) => key)).toContain('privacy-consent');
    expect(rootsByRules(GROCERIES).nodes.map(({ key }) => key)).not.toContain('privacy-consent');
  });

  it('plans ideas of different markets with at most a third of their node names in common', () => {
    const [left, right] = [namesOf(GROCERIES), namesOf(CREWS)];
    const common = [...left].filter((name) => right.has(name));
    expect(common.length / Math.min(left.size, right.size)).toBeLessThanOrEqual(1 / 3);
    expect(left.size).toBeGreaterThan(30);
  });

  it('leaves no place unfilled anywhere', () => {
    const everything = [...openPatterns().values()].map(({ name }) => name);
    const from = material('An app where roommates keep a shared grocery list', ...everything);
    const plan = rootsByRules(from).nodes;
    const parts = plan.flatMap((root) => childrenByRules(from, view(root)));
    expect(JSON.stringify([...plan, ...parts])).not.toMatch(/\{\w+\}/);
  });

  it('slices a piece of work that the library knows no parts of', () => {
    const node = view(
      { ...(rootsByRules(CREWS).nodes[0] as PlannedNode), key: 'x', name: 'Tables for machines', origin: { by: 'node' }, days: { low: 2, high: 4 } },
      2,
    );
    const slices = childrenByRules(CREWS, node);
    expect(slices.length).toBeGreaterThanOrEqual(2);
    expect(slices.every(({ key }) => key.startsWith('x/'))).toBe(true);
  });
});

describe('judging risk by rules', () => {
  it('gives reasons and mitigations, and more of both where more waits', () => {
    const [root] = rootsByRules(GROCERIES).nodes;
    const alone = assessByRules(GROCERIES, view(root as PlannedNode));
    const awaited = assessByRules(GROCERIES, { ...view(root as PlannedNode), dependents: ['a', 'b', 'c', 'd'] });
    expect(alone.reasons.length).toBeGreaterThan(0);
    expect(alone.mitigations.length).toBeGreaterThan(0);
    expect(awaited.reasons.length).toBeGreaterThan(alone.reasons.length);
  });

  it('calls small well-known work green and regulated work red', () => {
    const plan = rootsByRules(material('A marketplace for dog sitters', 'Sitter payouts')).nodes;
    const payouts = plan.find(({ key }) => key === 'marketplace-payouts') as PlannedNode;
    const deployment = plan.find(({ key }) => key === 'deployment') as PlannedNode;
    expect(assessByRules(material(''), view(payouts)).risk).toBe('red');
    expect(assessByRules(material(''), view(deployment)).risk).toBe('green');
  });
});
