import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResearchArtifact } from '#features/research';
import { startTestApp, type TestUser } from '#testing/app.ts';
import { newIdea } from '#testing/factories.ts';
import { readNdjson } from '#testing/read-ndjson.ts';
import { filledSections, sourcesOf, type Block, type Document, type Line } from '#platform/rendering/document.ts';
import { blueprintDocument, type ReportedBlueprint } from './blueprint-document.ts';
import { briefDocument, type ReportedBrief } from './brief-document.ts';
import { planDocument, type ReportedPlan } from './plan-document.ts';
import { researchDocument } from './research-document.ts';

const app = await startTestApp();
afterAll(() => app.dispose());

/** Every line of a document, and the places in it that cite. */
function linesIn(document: Document): Line[] {
  const inBlock = (block: Block): Line[] => {
    switch (block.kind) {
      case 'heading':
      case 'sources':
        return [];
      case 'paragraph':
      case 'callout':
        return [block.line];
      case 'list':
        return [...block.items];
      case 'table':
        return block.rows.flat();
      case 'matrix':
        return block.rows.map(({ name, cites }) => ({ ...name, cites }));
      case 'chart':
        return block.chart === 'scores' ? block.scores.map(({ line }) => line) : [];
      case 'tree':
        return block.items.flatMap(({ lines }) => lines);
      case 'entries':
        return block.entries.flatMap(({ title, blocks }) => [title, ...blocks.flatMap(inBlock)]);
    }
  };
  return document.sections.flatMap(({ blocks }) => blocks.flatMap(inBlock));
}

type Cited = { text: string; ids: readonly string[] };

/** The statements of a document that do not carry the citations they rest on. */
function uncited(document: Document, statements: readonly Cited[], order: readonly { id: string }[]): string[] {
  const said = new Set(linesIn(document).map(({ text, cites = [] }) => `${text} ${cites.join()}`));
  const places = (ids: readonly string[]) => order.flatMap(({ id }, at) => (ids.includes(id) ? [at + 1] : []));
  return statements.filter(({ text, ids }) => !said.has(`${text} ${places(ids).join()}`)).map(({ text }) => text);
}

/** Everything with words and evidence, however deep. */
function statementsIn(value: unknown): Cited[] {
  if (typeof value !== 'object' || value === null) return [];
  const { text, evidence_ids: ids } = value as { text?: unknown; evidence_ids?: unknown };
  const own = typeof text === 'string' && Array.isArray(ids) && ids.length > 0 ? [{ text, ids: ids as string[] }] : [];
  return [...own, ...Object.values(value).flatMap(statementsIn)];
}

/** What holds for a document of any kind. */
function expectWhole(document: Document): void {
  expect(structuredClone(document)).toEqual(document);
  expect(filledSections(document.sections)).toEqual(document.sections);
  expect(new Set(document.sections.map(({ id }) => id)).size).toBe(document.sections.length);
  const all = linesIn(document).flatMap(({ cites = [] }) => cites);
  expect(all.length).toBeGreaterThan(0);
  expect(Math.max(...all)).toBeLessThanOrEqual(sourcesOf(document).length);
  expect(JSON.stringify(document)).not.toMatch(/undefined|NaN|\[object/);
}

let user: TestUser;
let artifact: ResearchArtifact;
let jobId: string;
let projectId: string;

const ended = (path: string) => readNdjson(`${app.url}${path}/events`, user.token);

beforeAll(async () => {
  user = await app.user();
  const started = await user.call('POST', '/projects/research', { idea: newIdea() });
  jobId = String(started.body['job_id']);
  projectId = String(started.body['project_id']);
  const lines = await ended(`/research/${jobId}`);
  artifact = lines.find(({ event }) => event === 'result')?.data as unknown as ResearchArtifact;
});

describe('a research as a document', () => {
  it('carries its citations with every statement that rests on evidence', () => {
    const document = researchDocument(artifact);
    expectWhole(document);
    const { recommendation, whitespaces, next_steps: steps, build_readiness: ready, incumbents, emerging, features } = artifact;
    const statements = [
      ...statementsIn({ recommendation, against: artifact.evidence_against }),
      ...recommendation.parts.map(({ explanation: text, evidence_ids: ids }) => ({ text, ids })),
      ...whitespaces.map(({ description: text, evidence_ids: ids }) => ({ text, ids })),
      ...steps.map(({ how: text, evidence_ids: ids }) => ({ text, ids })),
      ...[...ready.phase_1, ...ready.phase_2].map(({ reason: text, evidence_ids: ids }) => ({ text, ids })),
      ...[...incumbents, ...emerging, ...features].map(({ name: text, evidence_ids: ids }) => ({ text, ids })),
    ];
    expect(statements.length).toBeGreaterThan(25);
    expect(uncited(document, statements, artifact.evidence)).toEqual([]);
  });

  it('says each thing that speaks against the idea once, and an idea of pages whole further down', () => {
    const idea = `A list. ${'word '.repeat(900)}`;
    const document = researchDocument({ ...artifact, product_idea: idea });
    const texts = linesIn(document).map(({ text }) => text);
    for (const { text } of artifact.evidence_against) expect(texts.filter((other) => other === text)).toHaveLength(1);
    expect(document.subtitle.length).toBeLessThanOrEqual(500);
    expect(texts).toContain(idea);
  });
});

describe('a brief as a document', () => {
  it('carries its citations, section by section', async () => {
    const created = await user.call('POST', '/briefs', { project_id: projectId, research_id: jobId });
    await ended(`/briefs/${String(created.body['brief_id'])}`);
    const brief = (await user.call('GET', `/briefs/${String(created.body['brief_id'])}`)).body as unknown as ReportedBrief;
    const document = briefDocument(brief);
    expectWhole(document);
    const headings = [
      'At a glance',
      'Market map',
      'Incumbents',
      'Emerging players',
      'Features',
      'Gaps in the market',
      'Positioning',
      'Angle of a first version',
    ];
    expect(document.sections.map(({ heading }) => heading)).toEqual([...headings, 'Sources']);
    const statements = statementsIn(brief);
    expect(statements.length).toBeGreaterThan(30);
    expect(uncited(document, statements, brief.sources)).toEqual([]);
    const { positioning: _, ...rest } = brief;
    expect(briefDocument(rest).sections.find(({ id }) => id === 'positioning')?.blocks).toMatchObject([
      { line: { text: 'This section could not be written.' } },
    ]);
  });
});

describe('a plan as a document', () => {
  let graph: ReportedPlan['graph'];

  beforeAll(async () => {
    const created = await user.call('POST', '/build-graphs', { idea: artifact.product_idea, auto_select: true, phase: 1, research_id: jobId });
    await ended(`/build-graphs/${String(created.body['graph_id'])}`);
    graph = (await user.call('GET', `/build-graphs/${String(created.body['graph_id'])}`)).body as unknown as ReportedPlan['graph'];
  });

  const treeOf = (document: Document) =>
    document.sections.flatMap(({ blocks }) => blocks.flatMap((block) => (block.kind === 'tree' ? block.items : [])));
  const everyNode = (nodes: ReportedPlan['graph']['nodes']): ReportedPlan['graph']['nodes'] =>
    nodes.flatMap((node) => [node, ...everyNode(node.children)]);

  it('numbers every node, cites what it rests on, and marks the longest chain with what holds it', () => {
    const document = planDocument({ graph, evidence: artifact.evidence, researched: [{ idea: artifact.product_idea, link: 'basis' }] });
    expectWhole(document);
    expect(document.sections.map(({ id }) => id)).toEqual(['order', 'nodes', 'status', 'sources']);
    const nodes = everyNode(graph.nodes);
    const items = treeOf(document);
    expect(items.map(({ title }) => title)).toEqual(nodes.map(({ name }) => name));
    expect(items.find(({ depth }) => depth === 1)?.number).toMatch(/^\d+\.\d+$/);
    const chain = new Set(graph.critical_path.map(({ node_id: id }) => id));
    const onChain = (node: (typeof nodes)[number]): boolean => chain.has(node.id) || node.children.some(onChain);
    expect(items.map(({ marked }) => marked)).toEqual(nodes.map(onChain));
    for (const [at, { evidence_ids: ids }] of nodes.entries()) expect(items[at]?.lines.flatMap(({ cites = [] }) => cites)).toHaveLength(ids.length);
  });

  it('is shorter in brief, and holds no citations without evidence', () => {
    const given = { graph, evidence: artifact.evidence, researched: [] };
    const size = (document: Document): number => JSON.stringify(document).length;
    expect(size(planDocument(given, 'brief'))).toBeLessThan(size(planDocument(given)) * 0.95);
    const bare = planDocument({ ...given, evidence: [] });
    expect(linesIn(bare).flatMap(({ cites = [] }) => cites)).toEqual([]);
    expect(bare.sections.map(({ heading }) => heading)).toEqual(['Build order rationale', 'Nodes', 'Status']);
  });

  it('is a document before anything is planned', () => {
    const days = { low: 0, high: 0 };
    const empty = {
      ...graph,
      nodes: [],
      critical_path: [],
      parallel_lanes: [],
      total_days: { ...days, critical_path: days, waiting: days },
      build_order_rationale: '',
    };
    const texts = linesIn(planDocument({ graph: empty, evidence: [], researched: [] })).map(({ text }) => text);
    expect(texts).toContain('There are no nodes yet.');
    expect(texts).toContain('The order is not decided yet.');
  });
});

describe('a blueprint as a document', () => {
  it('carries its citations with what it says of each feature', async () => {
    const features = artifact.build_readiness.phase_1.slice(0, 2).map(({ id, label }) => ({ id, name: label, source: 'research' }));
    const started = await user.call('POST', '/feature-research', { features, idea: artifact.product_idea, research_id: jobId });
    await ended(`/feature-research/${String(started.body['job_id'])}`);
    const findings = (await user.call('GET', `/feature-research/${String(started.body['job_id'])}/results`)).body as unknown as ReportedBlueprint;
    const document = blueprintDocument(findings);
    expectWhole(document);
    const { build_order: order, recommendations, risk_matrix: risks } = findings.blueprint;
    const statements = [
      ...order.map(({ reason: text, source_ids: ids }) => ({ text, ids })),
      ...recommendations.map(({ rationale: text, source_ids: ids }) => ({ text, ids })),
      ...risks.map(({ mitigation: text, source_ids: ids }) => ({ text, ids })),
      ...findings.analyses.flatMap(({ edge_cases: cases, common_patterns: patterns }) =>
        [...cases, ...patterns].map(({ text, source_ids: ids }) => ({ text, ids })),
      ),
    ];
    expect(statements.length).toBeGreaterThan(8);
    expect(uncited(document, statements, findings.sources)).toEqual([]);
  });
});
