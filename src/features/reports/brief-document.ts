import type { z } from 'zod';
import type { SharedBrief } from '#features/briefs';
import { listOf, percentOf } from '#lib/text.ts';
import { webAddress } from '#lib/visible-text.ts';
import { filledBlocks, filledSections, type Block, type Document, type Entry, type Line, type Section } from '#platform/rendering/document.ts';
import { aside, entry, list, paragraph, titledList } from './blocks.ts';
import { citedLine, citing, type Cite } from './citations.ts';
import { positionsMap, profileOf } from './market.ts';
import { dayOf, inWords, VERDICTS } from './words.ts';

/** A brief as `GET /briefs/{brief_id}` and a share show it. */
export type ReportedBrief = Omit<z.input<typeof SharedBrief>, 'type'>;

type Content<S extends SectionType> = NonNullable<ReportedBrief[S]>;
type SectionType = 'market_map' | 'incumbents' | 'emerging' | 'features' | 'market_gaps' | 'positioning' | 'mvp_angle';
type Statement = Content<'market_map'>['summary'][number];

const TITLES: Readonly<Record<SectionType, string>> = {
  market_map: 'Market map',
  incumbents: 'Incumbents',
  emerging: 'Emerging players',
  features: 'Features',
  market_gaps: 'Gaps in the market',
  positioning: 'Positioning',
  mvp_angle: 'Angle of a first version',
};

const PRIORITIES: Readonly<Record<Content<'features'>[number]['priority'], string>> = {
  differentiate: 'Sets it apart',
  match: 'Needed to compare',
  expected: 'Expected',
  option: 'Worth asking about',
  later: 'Later',
};

/** A brief as a document: the sections in their order, with the sources that they rest on. */
export function briefDocument(brief: ReportedBrief): Document {
  const cite = citing(brief.sources);
  const written = (Object.keys(TITLES) as SectionType[]).filter((type) => brief.section_meta[type]);
  const sections = filledSections([
    ...(brief.opening ? [openingSection(brief.opening)] : []),
    ...written.map((type) => ({ id: type, name: TITLES[type], heading: TITLES[type], blocks: blocksOf(type, brief, cite) })),
    progressSection(brief),
    sourcesSection(brief),
  ]);
  const day = dayOf(brief.updated_at);
  return {
    kind: 'Market brief',
    topic: brief.audience ? `for the ${brief.audience}` : '',
    title: brief.title,
    subtitle: '',
    summary: brief.opening?.idea || firstSentence(sections) || `Market brief: ${brief.title}`,
    language: 'en',
    score: {
      value: brief.quality_score,
      word: 'Quality of this brief',
      grade: brief.quality_score >= 60 ? 'good' : brief.quality_score >= 40 ? 'fair' : 'poor',
      about: 'How much of the market it covers, how well its statements are borne out, and how specific they are.',
    },
    facts: [
      { label: written.length === 1 ? 'section' : 'sections', value: String(written.length) },
      { label: brief.sources.length === 1 ? 'source' : 'sources', value: String(brief.sources.length) },
      ...(brief.market_map ? [{ label: 'products', value: String(brief.market_map.positions.length) }] : []),
    ],
    sections,
    imprint: `Written by Groundwork; revision ${brief.revision} of ${day}${brief.status === 'ready' ? '' : `, ${inWords(brief.status)}`}. Numbers lead to the sources.`,
    createdAt: new Date(brief.updated_at).toISOString(),
  };
}

/** The first page: the idea, the verdict, the rivals that matter, why now, and what is not known. */
function openingSection({ idea, verdict, rivals, why_now: now, not_known: unknown }: NonNullable<ReportedBrief['opening']>): Section {
  const judged = verdict
    ? `${VERDICTS[verdict.word]}${verdict.score === null ? '' : `, ${Math.round(verdict.score)} of 100`}. ${verdict.rationale}`
    : 'No verdict: the market of this idea is not known well enough.';
  const table: Block = {
    kind: 'table',
    columns: [{ title: 'Nearest' }, { title: 'What it is' }, { title: 'Price' }],
    rows: rivals.map(({ name, url, description, pricing }) => [
      { text: name, ...(url ? { url } : {}) },
      { text: description },
      { text: pricing ? inWords(pricing) : 'not known' },
    ]),
  };
  const texts = (heading: string, lines: readonly string[]): Block[] =>
    titledList(
      heading,
      lines.map((text) => ({ text })),
    );
  return {
    id: 'opening',
    name: 'At a glance',
    heading: 'At a glance',
    blocks: [
      { kind: 'paragraph', line: { text: idea }, tone: 'lead' },
      paragraph({ text: judged }),
      ...(rivals.length > 0 ? [table] : []),
      ...texts('Why now', now),
      ...texts('What is not known', unknown),
    ],
  };
}

function blocksOf(type: SectionType, brief: ReportedBrief, cite: Cite): Block[] {
  const { market_map: map, features, market_gaps: gaps, positioning, mvp_angle: angle } = brief;
  if (brief[type] === undefined) return [aside('This section could not be written.')];
  if (type === 'market_map' && map) return mapBlocks(map, cite);
  if (type === 'features' && features) return [featureTable(features, cite)];
  if (type === 'market_gaps' && gaps) return [{ kind: 'entries', form: 'points', entries: gaps.map((gap) => gapEntry(gap, cite)) }];
  if (type === 'positioning' && positioning) return positioningBlocks(positioning, cite);
  if (type === 'mvp_angle' && angle) return angleBlocks(angle, cite);
  const rivals = type === 'incumbents' ? brief.incumbents : brief.emerging;
  return [{ kind: 'entries', form: 'profiles', entries: (rivals ?? []).map((rival) => rivalEntry(rival, cite)) }];
}

/** Statements with their citations; those that are missing are left out. */
const lines = (statements: readonly (Statement | null)[], cite: Cite): Line[] =>
  statements.flatMap((statement) => (statement ? [citedLine(statement, cite)] : []));

const statement = (cited: Statement | null, cite: Cite): Block[] => (cited ? [paragraph(citedLine(cited, cite))] : []);

const mapBlocks = (map: Content<'market_map'>, cite: Cite): Block[] => [
  positionsMap(
    [...map.positions]
      .sort((left, right) => right.overlap - left.overlap || right.breadth - left.breadth)
      .map(({ name, is_incumbent: established, overlap, breadth }) => ({ name, established, overlap: overlap / 100, features: breadth })),
  ),
  list(lines(map.summary, cite)),
  { kind: 'heading', text: 'Who stands where' },
  {
    kind: 'table',
    columns: [{ title: 'Product' }, { title: 'Standing' }, { title: 'Covers', numeric: true }, { title: 'Known features', numeric: true }],
    rows: map.positions.map(({ name, is_incumbent: established, overlap, breadth, evidence_ids: ids }) => [
      { text: name, cites: cite(ids) },
      { text: established ? 'incumbent' : 'emerging' },
      { text: `${overlap} %` },
      { text: String(breadth) },
    ]),
  },
  ...map.segments.flatMap(({ title, rivals, note }) => titledList(`${title}: ${firstNames(rivals)}`, lines([note], cite))),
  ...titledList('Who buys', lines(map.audience, cite)),
];

const SHOWN_NAMES = 5;

function firstNames(rivals: readonly { name: string }[]): string {
  const names = rivals.slice(0, SHOWN_NAMES).map(({ name }) => name);
  return rivals.length > names.length ? `${names.join(', ')} and ${rivals.length - names.length} more` : listOf(names);
}

const rivalEntry = (rival: Content<'incumbents'>[number], cite: Cite): Entry =>
  profileOf(rival, cite, {
    tags: [],
    facts: [{ label: 'Covers', value: `${percentOf(rival.overlap)} of what is asked for` }],
    blocks: filledBlocks([
      paragraph({ text: rival.description }),
      ...titledList('Strong at', lines(rival.strengths, cite)),
      ...titledList('Leaves room', lines(rival.weaknesses, cite)),
      ...(rival.meaning ? [{ kind: 'callout', line: citedLine(rival.meaning, cite) } as const] : []),
    ]),
  });

const featureTable = (features: Content<'features'>, cite: Cite): Block => ({
  kind: 'table',
  columns: [{ title: 'Feature' }, { title: 'What to do' }, { title: 'Held by' }, { title: 'Why' }],
  rows: features.map(({ name, priority, held_by: holders, reason, evidence_ids: ids }) => [
    { text: name, cites: reason ? [] : cite(ids) },
    { text: PRIORITIES[priority] },
    { text: holders.join(', ') || 'nobody known' },
    reason ? citedLine(reason, cite) : { text: '' },
  ]),
});

const gapEntry = ({ title, description, caution }: Content<'market_gaps'>[number], cite: Cite): Entry =>
  entry(title, [list(lines([description, caution], cite))]);

const positioningBlocks = ({ statement: said, pillars, against, objections }: Content<'positioning'>, cite: Cite): Block[] => [
  ...statement(said, cite),
  ...titledList('What carries it', lines(pillars, cite)),
  ...titledList(
    'Beside others',
    lines(
      against.map(({ line }) => line),
      cite,
    ),
  ),
  ...titledList('What will be said against it', lines(objections, cite)),
];

function angleBlocks(angle: Content<'mvp_angle'>, cite: Cite): Block[] {
  const choices = (heading: string, choice: typeof angle.build_first): Block[] => [
    { kind: 'heading', text: heading },
    {
      kind: 'table',
      columns: [{ title: 'What' }, { title: 'Why' }],
      rows: choice.map(({ label, reason, evidence_ids: ids }) => [
        { text: label, cites: reason ? [] : cite(ids) },
        reason ? citedLine(reason, cite) : { text: '' },
      ]),
    },
  ];
  const { first_test: test } = angle;
  return [
    ...statement(angle.wedge, cite),
    ...choices('Build first', angle.build_first),
    ...choices('Leave out at first', angle.leave_out),
    ...titledList('First test', test ? [test.title, test.how, test.success_signal].map((text) => ({ text })) : []),
    ...titledList(
      'Taken for granted so far',
      angle.assumptions.map(({ text, why_it_matters: why }) => ({ text: `${text} ${why}` })),
    ),
    ...titledList('What could make it wrong', lines(angle.risks, cite)),
  ];
}

/** The work that was done on the project since. */
const progressSection = ({ progress }: ReportedBrief): Section => ({
  id: 'progress',
  name: progress?.title ?? '',
  heading: progress?.title ?? '',
  blocks: [
    {
      kind: 'table',
      columns: [{ title: 'Pull request' }, { title: 'What it did' }, { title: 'Address' }, { title: 'Day' }],
      rows: (progress?.items ?? []).map(({ pr_number: number, pr_url: url, summary, appended_at: at }) => [
        { text: `#${number}` },
        { text: summary },
        { text: webAddress(url) ?? url, url },
        { text: dayOf(new Date(at)) },
      ]),
    },
  ],
});

const sourcesSection = ({ sources }: ReportedBrief): Section => ({
  id: 'sources',
  name: 'Sources',
  heading: 'Sources',
  blocks: [{ kind: 'sources', sources: sources.map(({ title, url, snippet }) => ({ title: title || 'Untitled', url, note: '', snippet })) }],
});

/** What the brief says first. */
function firstSentence(sections: readonly Section[]): string {
  const said = sections.flatMap(({ blocks }) =>
    blocks.flatMap((block) =>
      block.kind === 'paragraph' && block.tone !== 'aside' ? [block.line.text] : block.kind === 'list' ? block.items.map(({ text }) => text) : [],
    ),
  );
  return said[0] ?? '';
}
