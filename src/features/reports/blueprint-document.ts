import type { Findings } from '#features/feature-research';
import { count, shorten } from '#lib/text.ts';
import { filledSections, type Block, type Document, type Entry, type Line, type Section } from '#platform/rendering/document.ts';
import { entry, list, paragraph, titledList } from './blocks.ts';
import { citing, type Cite } from './citations.ts';
import { dayOf, daysInWords, inWords, LONGEST_SUBTITLE } from './words.ts';

/** Feature research as `GET /feature-research/{job_id}/results` shows it. */
export type ReportedBlueprint = Findings & { created_at: string | Date };

type Sourced = { source_ids: readonly string[] };
type Analysis = Findings['analyses'][number];

const LONGEST_TITLE = 80;

/** What is known of building the features of an idea, as a document: order, features, risks. */
export function blueprintDocument(findings: ReportedBlueprint): Document {
  const { blueprint, idea, quality, sources } = findings;
  const cite = citing(sources);
  const score = quality.overall_score * 10;
  const day = dayOf(new Date(findings.created_at));
  return {
    kind: 'Blueprint',
    topic: count(findings.analyses.length, 'feature'),
    title: shorten(idea, LONGEST_TITLE),
    subtitle: shorten(idea, LONGEST_SUBTITLE),
    summary: blueprint.strategic_summary,
    language: 'en',
    score: {
      value: score,
      word: 'Quality of this blueprint',
      grade: score >= 60 ? 'good' : score >= 40 ? 'fair' : 'poor',
      about: 'How well its statements are borne out, and how much of each feature they cover.',
    },
    facts: [
      { label: blueprint.parts.length === 1 ? 'part' : 'parts', value: String(blueprint.parts.length) },
      { label: 'work', value: daysInWords(blueprint.mvp_days_range) },
      { label: sources.length === 1 ? 'source' : 'sources', value: String(sources.length) },
    ],
    sections: filledSections([
      orderSection(findings, cite),
      adviceSection(findings, cite),
      featuresSection(findings, cite),
      risksSection(findings, cite),
      textsSection('assumptions', 'Assumptions', blueprint.assumptions),
      textsSection('warnings', 'Warnings', findings.warnings),
      sourcesSection(findings),
    ]),
    imprint: `Studied by Groundwork on ${day}. Numbers lead to the sources. Days are working days of one experienced developer.`,
    createdAt: new Date(findings.created_at).toISOString(),
  };
}

const line = (text: string, { source_ids: ids }: Sourced, cite: Cite): Line => ({ text, cites: cite(ids) });

const orderSection = ({ blueprint }: ReportedBlueprint, cite: Cite): Section => ({
  id: 'order',
  name: 'Order',
  heading: 'What to build, in which order',
  blocks: [
    {
      kind: 'table',
      columns: [{ title: 'Part' }, { title: 'Days', numeric: true }, { title: 'Why then' }],
      rows: blueprint.build_order.map((step) => [{ text: step.name }, { text: String(step.days) }, line(step.reason, step, cite)]),
    },
  ],
});

const adviceSection = ({ blueprint }: ReportedBlueprint, cite: Cite): Section => ({
  id: 'advice',
  name: 'Advice',
  heading: 'Recommendations',
  blocks: [
    {
      kind: 'entries',
      form: 'points',
      entries: blueprint.recommendations.map((advice) => entry(advice.title, [paragraph(line(advice.rationale, advice, cite))])),
    },
  ],
});

const featuresSection = ({ analyses }: ReportedBlueprint, cite: Cite): Section => ({
  id: 'features',
  name: 'Features',
  heading: 'How each feature is built',
  blocks: [{ kind: 'entries', form: 'points', entries: analyses.map((analysis) => featureEntry(analysis, cite)) }],
});

function featureEntry(analysis: Analysis, cite: Cite): Entry {
  const approaches = analysis.technical_approaches.map((approach): Line => ({
    label: `${approach.name}${approach.recommended ? ' (recommended)' : ''}, ${daysInWords(approach.effort_days)}`,
    ...line(`${approach.when} ${approach.trade_offs}`, approach, cite),
  }));
  const used = analysis.implementations.map((one): Line => ({ label: one.name, ...line(one.how, one, cite) }));
  const open = analysis.oss_landscape.map((one): Line => ({ label: `${one.name} (${one.license})`, ...line(one.use_for, one, cite) }));
  const cited = (lines: Analysis['edge_cases']): Line[] => lines.map((one) => line(one.text, one, cite));
  const blocks: Block[] = [
    paragraph({ text: analysis.summary }),
    ...titledList('Ways to build it', approaches),
    ...titledList('How others do it', used),
    ...titledList('What is usual', cited(analysis.common_patterns)),
    ...titledList('What is easily missed', cited(analysis.edge_cases)),
    ...titledList('Open source', open),
  ];
  return entry(analysis.feature_name, blocks);
}

const risksSection = ({ blueprint }: ReportedBlueprint, cite: Cite): Section => ({
  id: 'risks',
  name: 'Risks',
  heading: 'Risks',
  blocks: [
    {
      kind: 'table',
      columns: [{ title: 'Risk' }, { title: 'Level' }, { title: 'What helps' }],
      rows: blueprint.risk_matrix.map((risk) => [{ text: risk.risk }, { text: inWords(risk.level) }, line(risk.mitigation, risk, cite)]),
    },
  ],
});

const textsSection = (id: string, heading: string, texts: readonly string[]): Section => ({
  id,
  name: heading,
  heading,
  blocks: [list(texts.map((text) => ({ text })))],
});

const sourcesSection = ({ sources }: ReportedBlueprint): Section => ({
  id: 'sources',
  name: 'Sources',
  heading: 'Sources',
  blocks: [
    { kind: 'sources', sources: sources.map(({ title, url, kind, snippet }) => ({ title: title || 'Untitled', url, note: inWords(kind), snippet })) },
  ],
});
