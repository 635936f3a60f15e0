import { describe, expect, it } from 'vitest';
import type { Material, NodeView, PlannedNode } from '../planner.ts';
import { assessByRules } from './assess.ts';
import { matchPatterns } from './match.ts';
import { childrenByRules, rootsByRules } from './rule-planner.ts';

const material = (idea: string, ...labels: string[]): Material => ({
  idea,
  features: labels.map((label, at) => ({ id: `f${at}`, label, source: 'manual' })),
  research: [],
  findings: null,
});
const view = (node: PlannedNode, depth = 0): NodeView => ({ ...node, depth, path: [], dependents: [], beside: [] });
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

describe('matching features to patterns', () => {
  it.each([
    ['Receipt scanning', 'ocr'],
    ['Payment reminders', 'reminders'],
    ['Offline mode', 'offline-sync'],
    ['Shared lists', 'sharing'],
    ['Crew scheduling', 'staff-scheduling'],
    ['Rent collection', 'payments'],
    ['SAML single sign-on', 'single-sign-on'],
    ['Online booking', 'booking'],
    ['Temperature sensors', 'device-telemetry'],
  ])('%s', (label, pattern) => {
    expect(matchPatterns(label, '')[0]?.value.id).toBe(pattern);
  });

  it.each(['CI integration', 'Postgres version rules', 'Suggested safe rewrites', 'Save games'])(
    '%s is not read for what one of its words may mean',
    (label) => {
      const found = matchPatterns(label, '').map(({ value }) => value.id);
      expect(found.filter((id) => id !== 'integrations')).toEqual([]);
    },
  );

  it('reads a name that says nothing by what its description begins with', () => {
    expect(matchPatterns('Mobile rounds', 'Routes for vans and walkers')[0]?.value.id).toBe('route-planning');
  });

  it.each([
    ['Sound sensors', 'Microphones in the hive tell swarming from its normal hum.', 'media-player'],
    ['Island game board', 'An island is laid out of tiles on a board that the players explore.', 'workflow-board'],
    ['Partner points', 'Places that hand out the parcels of a club.', 'leaderboards'],
    ['Safety checks', 'Finds statements that would lock a large table before a migration runs.', 'moderation'],
    ['Safety checks', 'Warns of locks and data loss', 'backup'],
    ['GPS tracker', 'Device on the collar that shows where a dog is.', 'on-device-models'],
    ['Staff pay and commission', 'Shares for groomers and walkers.', 'marketplace-payouts'],
  ])('%s is no pun on another thing', (label, description, pun) => {
    expect(matchPatterns(label, description).map(({ value }) => value.id)).not.toContain(pun);
    expect(matchPatterns(label, '').map(({ value }) => value.id)).not.toContain(pun);
  });

  it.each([
    ['Reverse auction for unused machines', ''],
    ['Lock detection', 'Warns when a statement of a migration takes an exclusive lock on a large table.'],
    ['Static analysis of migrations', 'Reads SQL without running it and reports statements that block writes.'],
    ['Weatherproof housing', 'A case under the hive that keeps rain and ants out.'],
    ['Load cells', 'Four cells that carry the weight of the hive.'],
    ['Day and night cycle', 'The light of the island changes and animals come out.'],
    ['Crafting', 'Things that were found are put together into tools.'],
  ])('%s fits no pattern', (label, description) => {
    expect(matchPatterns(label, description)).toEqual([]);
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
    expect(nodes.map(({ key }) => key)).toEqual(expect.arrayContaining(['mobile-shell', 'notifications']));
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

  it('says of what no pattern fits that it is to be estimated, and accepts it in the words of what was asked', () => {
    const own = rootsByRules(CREWS).nodes.find(({ origin }) => origin.by === 'feature');
    expect(own).toMatchObject({
      name: 'Reverse auction for unused machines',
      risk: 'yellow',
      expands: 'never',
      acceptance: ['As asked for: Reverse auction for unused machines'],
    });
    expect(own?.description).toContain('to be estimated');
    expect(own && childrenByRules(CREWS, view(own))).toEqual([]);
  });

  it('builds no software around hardware, a game or an analysis that no pattern fits', () => {
    const hive = material('A hive scale that weighs through the winter, without any sound features', 'Weatherproof housing', 'Load cells');
    const game = material('An island to explore alone, with animals and weather', 'Crafting', 'Day and night cycle');
    for (const from of [hive, game]) {
      const { nodes } = rootsByRules(from);
      expect(nodes.map(({ origin }) => origin.by)).toEqual(['feature', 'feature']);
    }
  });

  it('has about fifteen parts at first, and says what is waited for apart from the work', () => {
    for (const from of [GROCERIES, CREWS]) {
      const { nodes } = rootsByRules(from);
      const parts = nodes.filter(({ expands }) => expands === 'now').flatMap((root) => childrenByRules(from, view(root)));
      expect(nodes.length + parts.length).toBeGreaterThanOrEqual(10);
      expect(nodes.length + parts.length).toBeLessThanOrEqual(20);
    }
    expect(rootsByRules(GROCERIES).nodes.find(({ key }) => key === 'mobile-shell')?.waiting?.for).toContain('app stores');
  });

  it('does not build the same machinery twice for two features of one kind', () => {
    const plan = rootsByRules(material('Reminders for dog owners', 'Vaccination reminders', 'Medication reminders')).nodes;
    expect(plan.filter(({ key }) => key === 'reminders')).toHaveLength(1);
    const second = plan.find(({ origin }) => origin.by === 'pattern' && origin.own && origin.feature === 'f1');
    expect(second?.dependsOn.map(({ key }) => key)).toContain('reminders');
  });

  it('adds consent and privacy where an idea touches what is sensitive', () => {
    const plan = rootsByRules(material('Patients with diabetes log glucose and share it with their doctor', 'Glucose log')).nodes;
    expect(plan.map(({ key }) => key)).toContain('privacy-consent');
    expect(rootsByRules(GROCERIES).nodes.map(({ key }) => key)).not.toContain('privacy-consent');
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
    const [dark] = rootsByRules(material('Notes', 'Dark mode')).nodes.filter(({ key }) => key === 'settings');
    expect(assessByRules(material(''), view(payouts)).risk).toBe('red');
    expect(assessByRules(material(''), view(dark as PlannedNode)).risk).toBe('green');
  });
});
