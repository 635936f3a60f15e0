import {
  citationsOf,
  competitorMap,
  dayOf,
  engineInWords,
  featureMatrix,
  furtherAgainst,
  gatheredInWords,
  inWords,
  KINDS,
  mapInWords,
  PARTS,
  percentOf,
  positionsOf,
  rivalsOf,
  TIERS,
  VERDICT_ROLES,
  VERDICTS,
} from '#features/report-parts';
import type { ResearchArtifact } from '#features/research';
import { count, shorten } from '#lib/text.ts';
import { webAddress } from '#lib/visible-text.ts';
import { LIGHT } from '#platform/ports/charts/colours.ts';
import { scoreDial } from '#platform/ports/charts/score.ts';
import type { Block, Paper, Section, Span } from '#platform/ports/pdf/paper.ts';
import { mapCaption } from './map-caption.ts';
import { COVER_TEXT } from './print-paper.ts';

type Cite = (ids: readonly string[]) => Span[];

const CITED = 6;
const MATRIX_COLUMNS = 12;

/** A research as a document: the same parts as its page. */
export function researchPaper(artifact: ResearchArtifact): Paper {
  const { recommendation, incumbents, emerging, quality } = artifact;
  const citations = citationsOf(artifact);
  const cite: Cite = (ids) => {
    const all = citations(ids);
    const shown = all.slice(0, CITED).flatMap(({ place }): Span[] => [' ', { text: `[${place}]`, to: `source-${place}`, small: true }]);
    return all.length > CITED ? [...shown, { text: ` +${all.length - CITED}`, muted: true, small: true }] : shown;
  };
  const verdict = VERDICTS[recommendation.verdict];
  return {
    kind: 'Market research',
    title: artifact.short_title,
    subtitle: shorten(artifact.product_idea, COVER_TEXT),
    language: /^[a-z]{2,3}$/.test(artifact.idea.language) ? artifact.idea.language : 'en',
    facts: [
      { label: 'Verdict', value: `${verdict}, ${Math.round(recommendation.score)} of 100` },
      { label: 'Market', value: artifact.product_category },
      { label: 'Competitors', value: `${count(incumbents.length, 'incumbent')}, ${count(emerging.length, 'emerging player')}` },
      { label: 'Sources', value: `${quality.evidence_count} from ${count(quality.independent_domains, 'domain')}` },
    ],
    cover: {
      svg: scoreDial(recommendation.score, VERDICT_ROLES[recommendation.verdict], LIGHT, 200),
      width: 200,
      alternative: `${verdict}: ${Math.round(recommendation.score)} of 100`,
    },
    sections: [
      verdictSection(artifact, cite),
      rivalsSection(artifact, cite),
      featuresSection(artifact, cite),
      peopleSection(artifact, cite),
      gapsSection(artifact, cite),
      listed(
        'Further evidence against the idea',
        furtherAgainst(artifact).map(({ text, evidence_ids: ids }) => [text, ...cite(ids)]),
      ),
      listed(
        'Assumed, and supported by nothing yet',
        artifact.assumptions.map(({ text, why_it_matters: why }) => [{ text, bold: true }, ` ${why}`]),
      ),
      stepsSection(artifact, cite),
      buildSection(artifact, cite),
      listed(
        'How this was made',
        [...gatheredInWords(artifact), ...artifact.warnings].map((line) => [line]),
      ),
      sourcesSection(artifact),
    ].filter(({ blocks }) => blocks.length > 0),
    imprint: `Researched by Groundwork on ${dayOf(artifact.created_at)} by ${engineInWords(artifact.engine)}. Numbers in brackets lead to the sources.`,
    createdAt: new Date(artifact.created_at),
  };
}

const listed = (heading: string, items: readonly Span[][]): Section => ({ heading, blocks: items.length > 0 ? [{ kind: 'list', items }] : [] });

function verdictSection({ recommendation }: ResearchArtifact, cite: Cite): Section {
  const reasons = (heading: string, list: ResearchArtifact['recommendation']['reasons_for']): Block[] =>
    list.length > 0
      ? [
          { kind: 'heading', text: heading },
          { kind: 'list', items: list.map(({ text, evidence_ids: ids }) => [text, ...cite(ids)]) },
        ]
      : [];
  return {
    heading: `${VERDICTS[recommendation.verdict]}: ${Math.round(recommendation.score)} of 100`,
    blocks: [
      { kind: 'paragraph', spans: [recommendation.rationale], lead: true },
      {
        kind: 'table',
        columns: [
          { title: 'Part', width: 62 },
          { title: 'Score', width: 34, align: 'right' },
          { title: 'Weight', width: 38, align: 'right' },
          { title: 'Why', width: 'rest' },
        ],
        rows: recommendation.parts.map(({ key, score, weight, explanation, evidence_ids: ids }) => [
          [{ text: PARTS[key].name, bold: true }],
          [String(Math.round(score))],
          [percentOf(weight)],
          [explanation, ...cite(ids)],
        ]),
      },
      ...reasons('What speaks for it', recommendation.reasons_for),
      ...reasons('What speaks against it', recommendation.reasons_against),
    ],
  };
}

function rivalsSection(artifact: ResearchArtifact, cite: Cite): Section {
  const map = competitorMap(artifact, LIGHT, { width: 640, height: 400 });
  if (!map) return { heading: 'Competitors', blocks: [] };
  return {
    heading: 'Competitors',
    blocks: [
      {
        kind: 'picture',
        svg: map.svg,
        width: 640,
        alternative: mapInWords(positionsOf(artifact)),
        caption: mapCaption(map),
      },
      {
        kind: 'table',
        columns: [
          { title: 'Product', width: 92 },
          { title: 'What it is', width: 'rest' },
          { title: 'Pricing', width: 62 },
          { title: 'Owner, money', width: 88 },
          { title: 'Covers', width: 36, align: 'right' },
        ],
        rows: rivalsOf(artifact).map((rival) => [
          [named(rival.name, rival.url), ...cite(rival.evidence_ids)],
          [`${rival.is_incumbent ? '' : 'Emerging. '}${rival.description}${rival.founded === null ? '' : ` Since ${rival.founded}.`}`],
          [rival.pricing ? inWords(rival.pricing) : '–'],
          [rival.funding ?? '–'],
          [percentOf(rival.overlap)],
        ]),
      },
    ],
  };
}

function named(name: string, url: string | null): Span {
  const link = webAddress(url);
  return link ? { text: name, link, bold: true } : { text: name, bold: true };
}

function featuresSection(artifact: ResearchArtifact, cite: Cite): Section {
  const { rivals, rows } = featureMatrix(artifact, MATRIX_COLUMNS);
  if (rows.length === 0) return { heading: 'Features', blocks: [] };
  const key = rivals.map(({ name }, index) => `${index + 1} ${name}`).join(', ');
  return {
    heading: 'Who has what',
    blocks: [
      { kind: 'paragraph', spans: [`● is known to have it; · is not known to. ${rivals.length > 0 ? `The columns: ${key}.` : ''}`] },
      {
        kind: 'table',
        small: true,
        columns: [
          { title: 'Feature', width: 'rest' },
          { title: 'How common', width: 56 },
          { title: 'Idea', width: 22, align: 'center' },
          ...rivals.map((_rival, index) => ({ title: String(index + 1), width: 13, align: 'center' as const })),
          { title: 'Of all', width: 26, align: 'right' },
        ],
        rows: rows.map(({ feature, holds }) => [
          [feature.name, ...cite(feature.evidence_ids.slice(0, 1))],
          [TIERS[feature.tier]],
          [feature.asked_for ? '●' : '·'],
          ...holds.map((held) => [held ? '●' : '·']),
          [String(feature.held_by.length)],
        ]),
      },
    ],
  };
}

function peopleSection({ market }: ResearchArtifact, cite: Cite): Section {
  const part = (heading: string, lines: readonly string[]): Block[] =>
    lines.length > 0
      ? [
          { kind: 'heading', text: heading },
          { kind: 'list', items: lines.map((line) => [line]) },
        ]
      : [];
  const blocks = [...part('Who it is for', market.audience), ...part('What they want done', market.use_cases)];
  return {
    heading: 'The people in this market',
    blocks:
      blocks.length > 0 ? [...blocks, { kind: 'paragraph', spans: [{ text: 'From the sources', muted: true }, ...cite(market.evidence_ids)] }] : [],
  };
}

const gapsSection = ({ whitespaces }: ResearchArtifact, cite: Cite): Section => ({
  heading: 'Gaps',
  blocks: whitespaces.flatMap((gap): Block[] => [
    { kind: 'heading', text: gap.title },
    { kind: 'paragraph', spans: [gap.description, ...cite(gap.evidence_ids)] },
  ]),
});

const stepsSection = ({ next_steps: steps }: ResearchArtifact, cite: Cite): Section => ({
  heading: 'Next steps',
  blocks: steps.flatMap((step, index): Block[] => [
    { kind: 'heading', text: `${index + 1}. ${step.title}` },
    { kind: 'paragraph', spans: [step.how, ...cite(step.evidence_ids)] },
    { kind: 'paragraph', spans: [{ text: step.success_signal, italic: true }] },
  ]),
});

function buildSection({ build_readiness: ready }: ResearchArtifact, cite: Cite): Section {
  const phase = (heading: string, list: ResearchArtifact['build_readiness']['phase_1']): Block[] =>
    list.length > 0
      ? [
          { kind: 'heading', text: heading },
          {
            kind: 'list',
            ordered: true,
            items: list.map(({ label, reason, evidence_ids: ids }) => [{ text: `${label}: `, bold: true }, reason, ...cite(ids)]),
          },
        ]
      : [];
  return { heading: 'What to build first', blocks: [...phase('First', ready.phase_1), ...phase('Then', ready.phase_2)] };
}

const sourcesSection = ({ evidence }: ResearchArtifact): Section => ({
  heading: 'Sources',
  blocks:
    evidence.length > 0
      ? [
          {
            kind: 'sources',
            items: evidence.map((row, index) => ({
              anchor: `source-${index + 1}`,
              spans: [named(row.title, row.source_url), { text: ` ${KINDS[row.source_kind]}, ${dayOf(row.fetched_at)}. `, muted: true }, row.snippet],
            })),
          },
        ]
      : [],
});
