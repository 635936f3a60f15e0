import type { ResearchArtifact } from '#features/research';
import { coverageInWords, coverageOf } from '#lib/coverage.ts';
import { count, listOf, percentOf, shorten } from '#lib/text.ts';
import { filledSections, type Document, type Line, type Section } from '#platform/rendering/document.ts';
import { aside, entry, list, paragraph, sides, titledList } from './blocks.ts';
import { citedLine, citing, type Cite } from './citations.ts';
import { featureMatrix, positionsMap, positionsOf, rivalProfile, rivalsOf, unaskedInWords } from './market.ts';
import {
  arithmeticOf,
  dayOf,
  engineInWords,
  furtherAgainst,
  gatheredInWords,
  inWords,
  KINDS,
  leftOutInWords,
  LONGEST_SUBTITLE,
  PARTS,
  VERDICT_GRADES,
  VERDICT_RULES,
  VERDICTS,
} from './words.ts';

/** What a document shows of a research: everything but what it cost and whose it is. */
export type ReportedResearch = Omit<ResearchArtifact, 'usage' | 'job_id' | 'id'>;

/** A research as a document, top to bottom as a founder reads it: first in short, then what that rests on. */
export function researchDocument(artifact: ReportedResearch): Document {
  const { recommendation, incumbents, emerging, features, quality } = artifact;
  const cite = citing(artifact.evidence);
  const rivals = incumbents.length + emerging.length;
  return {
    kind: 'Market research',
    topic: artifact.product_category,
    title: artifact.short_title || 'Research',
    subtitle: shorten(artifact.product_idea, LONGEST_SUBTITLE),
    summary: artifact.one_line_summary,
    language: /^[a-z]{2,3}$/.test(artifact.idea.language) ? artifact.idea.language : 'en',
    score:
      recommendation.score === null
        ? null
        : {
            value: recommendation.score,
            word: VERDICTS[recommendation.verdict],
            grade: VERDICT_GRADES[recommendation.verdict],
            about: recommendation.rationale,
          },
    facts: [
      ...(rivals > 0 ? [{ label: 'competitors', value: String(rivals) }] : []),
      ...(features.length > 0 ? [{ label: 'features compared', value: String(features.length) }] : []),
      { label: 'sources', value: String(quality.evidence_count) },
      { label: 'domains', value: String(quality.independent_domains) },
    ],
    sections: filledSections([
      ...(artifact.classification.certainty === 'sure' ? [] : [unsureSection(artifact), correctionSection(artifact)]),
      shortSection(artifact, cite),
      scoreSection(artifact, cite),
      rivalsSection(artifact, cite),
      featuresSection(artifact, cite),
      peopleSection(artifact, cite),
      gapsSection(artifact, cite),
      againstSection(artifact, cite),
      assumptionsSection(artifact),
      stepsSection(artifact, cite),
      buildSection(artifact, cite),
      methodSection(artifact),
      sourcesSection(artifact),
    ]),
    imprint: `Researched by Groundwork on ${dayOf(artifact.created_at)} by ${engineInWords(artifact.engine)}. Numbers lead to the sources.`,
    createdAt: new Date(artifact.created_at).toISOString(),
  };
}

/** The markets that may be meant, where none is sure. */
function unsureSection({ classification, recommendation }: ReportedResearch): Section {
  const { certainty, candidates } = classification;
  const isUnknown = certainty === 'unknown';
  const said = isUnknown
    ? 'Groundwork does not know this market, so it judges nothing.'
    : 'More than one market may be meant, so nothing is judged until it is clear which.';
  const nearest = isUnknown
    ? 'These came nearest; they are no rivals as long as nobody says so.'
    : 'These may be meant, each with the firms that would be nearest.';
  return {
    id: 'market',
    name: 'Market',
    heading: isUnknown ? 'An unknown market' : 'Which market is meant?',
    blocks: [
      { kind: 'callout', line: { text: said } },
      paragraph({ text: candidates.length > 0 ? nearest : recommendation.rationale }),
      {
        kind: 'entries',
        form: 'points',
        entries: candidates.map(({ name, words, firms }) =>
          entry(name, [
            aside(words.length > 0 ? `Words that speak for it: ${words.map((word) => `“${word}”`).join(', ')}.` : ''),
            list(firms.map(({ name: firm, url, line }) => ({ label: firm, text: line, url }))),
          ]),
        ),
      },
    ],
  };
}

/** What would decide, and how to say it. */
function correctionSection({ classification }: ReportedResearch): Section {
  const { candidates, questions } = classification;
  const named = candidates[0] ? `groundwork correct --market "${candidates[0].name}"` : 'groundwork correct --market "…"';
  return {
    id: 'correct',
    name: 'Put it right',
    heading: 'How to go on',
    blocks: [
      ...titledList(
        questions.length === 1 ? 'The question that would decide' : 'The questions that would decide',
        questions.map((text) => ({ text })),
        true,
      ),
      list([
        { label: 'One of these markets', text: `${named} researches the idea anew in it.` },
        { label: 'Another market', text: 'The same command with its name; part of a name lists what fits.' },
        {
          label: 'None',
          text: 'Say in the idea what it does and for whom, in the words its users would use, and research it again; or name a product that people use for it today.',
        },
      ]),
    ],
  };
}

const MATTER = 3;
const LATELY = 2019;

/** The first page: who matters, what happened lately, and what is not known. */
function shortSection(artifact: ReportedResearch, cite: Cite): Section {
  const rivals = rivalsOf(artifact);
  const near = rivals.slice(0, MATTER);
  const asked = artifact.features.filter((feature) => feature.asked_for);
  const lately = rivals.filter(({ founded }) => (founded ?? 0) >= LATELY).slice(0, MATTER);
  const open = asked.filter(({ held_by: holders }) => near.every(({ id }) => !holders.includes(id)));
  return {
    id: 'short',
    name: 'In short',
    heading: 'In short',
    blocks:
      near.length === 0
        ? []
        : [
            ...(artifact.recommendation.score === null ? [paragraph({ text: artifact.recommendation.rationale })] : []),
            {
              kind: 'table',
              columns: [
                { title: near.length === 1 ? 'The rival that matters' : 'Rivals that matter' },
                { title: 'What it is' },
                { title: 'Price' },
                { title: 'Of what you ask for' },
              ],
              rows: near.map((rival) => [
                { text: rival.name, url: rival.url, cites: cite(rival.evidence_ids) },
                { text: rival.description },
                { text: rival.pricing ? inWords(rival.pricing) : 'not known' },
                { text: coverageInWords(coverageOf(rival, artifact.features)) || 'you ask for nothing beside it' },
              ]),
            },
            ...titledList(
              'Why now',
              lately.length > 0
                ? [
                    {
                      text: `Begun since ${LATELY}: ${listOf(lately.map(({ name, founded }) => `${name} (${founded})`))}.`,
                      cites: cite(lately.flatMap(({ evidence_ids: ids }) => ids.slice(0, 1))),
                    },
                  ]
                : [],
            ),
            ...titledList(
              'Not known',
              open.map(({ name }) => ({
                text: `Whether ${listOf(
                  near.map((rival) => rival.name),
                  'or',
                )} ${near.length === 1 ? 'has' : 'have'} “${name}”.`,
              })),
            ),
          ],
  };
}

function scoreSection({ recommendation }: ReportedResearch, cite: Cite): Section {
  const { score, parts, verdict } = recommendation;
  const reasons = (all: typeof recommendation.reasons_for): Line[] => all.map((reason) => citedLine(reason, cite));
  return {
    id: 'score',
    name: 'Score',
    heading: score === null ? 'What speaks for and against it' : `How ${Math.round(score)} of 100 comes about`,
    blocks: [
      {
        kind: 'chart',
        chart: 'scores',
        scores: parts.map((part) => ({
          ...PARTS[part.key],
          value: part.score,
          weight: part.weight,
          line: { text: part.explanation, cites: cite(part.evidence_ids) },
        })),
      },
      paragraph({ text: arithmeticOf(recommendation) }),
      aside(score === null ? '' : VERDICT_RULES[verdict]),
      sides(['What speaks for it', reasons(recommendation.reasons_for)], ['What speaks against it', reasons(recommendation.reasons_against)]),
    ],
  };
}

const rivalsSection = (artifact: ReportedResearch, cite: Cite): Section => ({
  id: 'rivals',
  name: 'Competitors',
  heading: 'Competitors',
  blocks:
    artifact.incumbents.length + artifact.emerging.length > 0
      ? [
          aside(
            `${count(artifact.incumbents.length, 'incumbent')} and ${count(artifact.emerging.length, 'emerging player')}, the nearest to the idea first.`,
          ),
          ...(artifact.features.some((feature) => feature.asked_for) ? [positionsMap(positionsOf(artifact))] : []),
          { kind: 'entries', form: 'profiles', entries: rivalsOf(artifact).map(rivalProfile(artifact, cite)) },
        ]
      : [],
});

const featuresSection = (artifact: ReportedResearch, cite: Cite): Section => ({
  id: 'features',
  name: 'Features',
  heading: 'Who has what',
  blocks: artifact.features.length > 0 ? [paragraph({ text: unaskedInWords(artifact) }), featureMatrix(artifact, cite)] : [],
});

function peopleSection({ market }: ReportedResearch, cite: Cite): Section {
  const lines = (texts: readonly string[]): Line[] => texts.map((text) => ({ text }));
  return {
    id: 'people',
    name: 'For whom',
    heading: 'The people in this market',
    blocks:
      market.audience.length + market.use_cases.length > 0
        ? [
            sides(['Who it is for', lines(market.audience)], ['What they want done', lines(market.use_cases)]),
            aside('From the sources', cite(market.evidence_ids)),
          ]
        : [],
  };
}

const gapsSection = ({ whitespaces, features }: ReportedResearch, cite: Cite): Section => ({
  id: 'gaps',
  name: 'Gaps',
  heading: 'Gaps',
  blocks: [
    {
      kind: 'entries',
      form: 'points',
      entries: whitespaces.map(({ title, description, feature_ids: ids, evidence_ids: evidence }) => {
        const names = ids.flatMap((id) => features.find((feature) => feature.id === id)?.name ?? []);
        return entry(title, [
          paragraph({ text: description, cites: cite(evidence) }),
          aside(names.length > 0 ? `${names.length === 1 ? 'Feature' : 'Features'}: ${listOf(names)}.` : ''),
        ]);
      }),
    },
  ],
});

function againstSection(artifact: ReportedResearch, cite: Cite): Section {
  const further = furtherAgainst(artifact);
  const repeated = artifact.evidence_against.length - further.length;
  return {
    id: 'against',
    name: 'Evidence against',
    heading: 'Further evidence against the idea',
    blocks:
      further.length > 0
        ? [
            aside(repeated > 0 ? `Beside ${repeated === 1 ? 'the one' : `the ${repeated}`} under what speaks against it:` : ''),
            list(further.map((item) => citedLine(item, cite))),
          ]
        : [],
  };
}

const assumptionsSection = ({ assumptions }: ReportedResearch): Section => ({
  id: 'assumptions',
  name: 'Assumptions',
  heading: 'Assumed, and supported by nothing yet',
  blocks: [{ kind: 'entries', form: 'points', entries: assumptions.map(({ text, why_it_matters: why }) => entry(text, [paragraph({ text: why })])) }],
});

const stepsSection = ({ next_steps: steps, assumptions }: ReportedResearch, cite: Cite): Section => ({
  id: 'steps',
  name: 'Next steps',
  heading: 'Next steps',
  blocks: [
    {
      kind: 'entries',
      form: 'steps',
      entries: steps.map((step) => {
        const tested = assumptions.find(({ id }) => id === step.assumption_id);
        return entry(step.title, [
          paragraph({ text: step.how, cites: cite(step.evidence_ids) }),
          { kind: 'callout', line: { label: 'What tells', text: step.success_signal } },
          aside(tested ? `Tests: ${tested.text}` : ''),
        ]);
      }),
    },
  ],
});

function buildSection({ build_readiness: ready }: ReportedResearch, cite: Cite): Section {
  const items = (phase: ReportedResearch['build_readiness']['phase_1']): Line[] =>
    phase.map(({ label, reason, evidence_ids: ids }) => ({ label, text: reason, cites: cite(ids) }));
  return {
    id: 'build',
    name: 'Build first',
    heading: 'What to build first',
    blocks: [...titledList('First', items(ready.phase_1), true), ...titledList('Then', items(ready.phase_2), true)],
  };
}

function methodSection(artifact: ReportedResearch): Section {
  const { product_idea: idea, quality, warnings } = artifact;
  const told = [...gatheredInWords(artifact), ...warnings];
  return {
    id: 'method',
    name: 'How it was made',
    heading: 'How this was made',
    blocks: [
      list(told.map((text) => ({ text }))),
      paragraph({ text: leftOutInWords(quality) || 'Every statement above rests on the sources below; nothing had to be left out for lack of one.' }),
      ...(idea.length > LONGEST_SUBTITLE ? [{ kind: 'heading', text: 'The idea as it was given' } as const, paragraph({ text: idea })] : []),
    ],
  };
}

const sourcesSection = ({ evidence }: ReportedResearch): Section => ({
  id: 'sources',
  name: 'Sources',
  heading: 'Sources',
  blocks: [{ kind: 'sources', sources: evidence.map(sourceOf) }],
});

/** A piece of evidence as a document lists it. */
export const sourceOf = (row: ReportedResearch['evidence'][number]) => ({
  title: row.title || 'Untitled',
  url: row.source_url,
  note: [KINDS[row.source_kind], dayOf(row.fetched_at), row.confidence === null ? '' : `confidence ${percentOf(row.confidence)}`]
    .filter(Boolean)
    .join(', '),
  snippet: row.snippet,
});
