import { pricingWords } from '#features/research';
import type { OutlineBlock, OutlineLine } from './export-brief.ts';
import type { BriefFeature, Cited, MarketGap, MarketMap, MvpAngle, Positioning, Priority, Rival, SectionContent } from './section-content.ts';
import type { SectionType } from './states.ts';

export const SECTION_TITLES: Readonly<Record<SectionType, string>> = {
  market_map: 'Market map',
  incumbents: 'Incumbents',
  emerging: 'Emerging players',
  features: 'Features',
  market_gaps: 'Gaps in the market',
  positioning: 'Positioning',
  mvp_angle: 'Angle of a first version',
};

const PRIORITIES: Readonly<Record<Priority, string>> = {
  differentiate: 'Sets it apart',
  match: 'Needed to compare',
  expected: 'Expected',
  option: 'Worth asking about',
  later: 'Later',
};

type Numbered = (ids: readonly string[]) => number[];

/** A section as paragraphs, lists and tables. @param number gives the numbers of sources by their ids */
export function blocksOf(type: SectionType, content: SectionContent, number: Numbered): OutlineBlock[] {
  if (type === 'market_map') return mapBlocks(content as MarketMap, number);
  if (type === 'incumbents' || type === 'emerging') return rivalBlocks(content as Rival[], number);
  if (type === 'features') return featureBlocks(content as BriefFeature[], number);
  if (type === 'market_gaps') return gapBlocks(content as MarketGap[], number);
  return type === 'positioning' ? positioningBlocks(content as Positioning, number) : angleBlocks(content as MvpAngle, number);
}

const lineOf = ({ text, evidence_ids: ids }: Cited, number: Numbered): OutlineLine => ({ text, sources: number(ids) });

const paragraph = (cited: Cited | null, number: Numbered): OutlineBlock[] => (cited ? [{ kind: 'paragraph', line: lineOf(cited, number) }] : []);

const list = (heading: string | null, items: readonly (Cited | null)[], number: Numbered): OutlineBlock[] => {
  const lines = items.flatMap((item) => (item ? [lineOf(item, number)] : []));
  return lines.length > 0 ? [{ kind: 'list', heading, items: lines }] : [];
};

const table = (heading: string | null, head: string[], rows: { cells: string[]; sources: number[] }[]): OutlineBlock[] =>
  rows.length > 0 ? [{ kind: 'table', heading, head, rows }] : [];

const mapBlocks = (map: MarketMap, number: Numbered): OutlineBlock[] => [
  ...list(null, map.summary, number),
  ...table(
    'Who stands where',
    ['Product', 'Standing', 'Covers', 'Known features'],
    map.positions.map(({ name, is_incumbent: isIncumbent, overlap, breadth, evidence_ids: ids }) => ({
      cells: [name, isIncumbent ? 'incumbent' : 'emerging', `${overlap} %`, String(breadth)],
      sources: number(ids),
    })),
  ),
  ...map.segments.flatMap(({ title, rivals, note }): OutlineBlock[] =>
    list(`${title}: ${rivals.map(({ name }) => name).join(', ')}`, [note], number),
  ),
  ...list('Who buys', map.audience, number),
];

const rivalBlocks = (rivals: Rival[], number: Numbered): OutlineBlock[] =>
  rivals.flatMap((rival): OutlineBlock[] => {
    const facts = [
      rival.founded === null ? '' : `since ${rival.founded}`,
      rival.pricing ? pricingWords(rival.pricing) : '',
      rival.funding ?? '',
    ].filter(Boolean);
    const about = facts.length > 0 ? `${rival.name}: ${rival.description} (${facts.join('; ')})` : `${rival.name}: ${rival.description}`;
    return [
      ...paragraph({ text: about, evidence_ids: rival.evidence_ids }, number),
      ...list('Strong at', rival.strengths, number),
      ...list('Leaves room', rival.weaknesses, number),
      ...paragraph(rival.meaning, number),
    ];
  });

const featureBlocks = (features: BriefFeature[], number: Numbered): OutlineBlock[] =>
  table(
    null,
    ['Feature', 'What to do', 'Held by', 'Why'],
    features.map(({ name, priority, held_by: holders, reason, evidence_ids: ids }) => ({
      cells: [name, PRIORITIES[priority], holders.join(', ') || 'nobody known', reason?.text ?? ''],
      sources: number(reason?.evidence_ids ?? ids),
    })),
  );

const gapBlocks = (gaps: MarketGap[], number: Numbered): OutlineBlock[] =>
  gaps.flatMap(({ title, description, caution }): OutlineBlock[] => list(title, [description, caution], number));

const positioningBlocks = ({ statement, pillars, against, objections }: Positioning, number: Numbered): OutlineBlock[] => [
  ...paragraph(statement, number),
  ...list('What carries it', pillars, number),
  ...list(
    'Beside others',
    against.map(({ line }) => line),
    number,
  ),
  ...list('What will be said against it', objections, number),
];

const choices = (heading: string, entries: MvpAngle['build_first'], number: Numbered): OutlineBlock[] =>
  table(
    heading,
    ['What', 'Why'],
    entries.map(({ label, reason, evidence_ids: ids }) => ({ cells: [label, reason?.text ?? ''], sources: number(ids) })),
  );

const angleBlocks = (angle: MvpAngle, number: Numbered): OutlineBlock[] => [
  ...paragraph(angle.wedge, number),
  ...choices('Build first', angle.build_first, number),
  ...choices('Leave out at first', angle.leave_out, number),
  ...(angle.first_test
    ? [
        {
          kind: 'list' as const,
          heading: 'First test',
          items: [angle.first_test.title, angle.first_test.how, angle.first_test.success_signal].map(bare),
        },
      ]
    : []),
  ...(angle.assumptions.length > 0
    ? [
        {
          kind: 'list' as const,
          heading: 'Taken for granted so far',
          items: angle.assumptions.map(({ text, why_it_matters: why }) => bare(`${text} ${why}`)),
        },
      ]
    : []),
  ...list('What could make it wrong', angle.risks, number),
];

const bare = (text: string): OutlineLine => ({ text, sources: [] });
