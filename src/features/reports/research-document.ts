import type { ResearchArtifact } from '#features/research';
import { count, listOf, percentOf, shorten } from '#lib/text.ts';
import { filledSections, type Document, type Line, type Section } from '#platform/rendering/document.ts';
import { aside, entry, list, paragraph, sides, titledList } from './blocks.ts';
import { citedLine, citing, type Cite } from './citations.ts';
import { featureMatrix, positionsMap, positionsOf, rivalProfile, rivalsOf, unaskedInWords } from './market.ts';
import {
  dayOf,
  engineInWords,
  furtherAgainst,
  gatheredInWords,
  KINDS,
  leftOutInWords,
  LONGEST_SUBTITLE,
  PARTS,
  VERDICT_GRADES,
  VERDICTS,
} from './words.ts';

/** What a document shows of a research: everything but what it cost and whose it is. */
export type ReportedResearch = Omit<ResearchArtifact, 'usage' | 'job_id' | 'id'>;

/** A research as a document, top to bottom as a founder reads it. */
export function researchDocument(artifact: ReportedResearch): Document {
  const { recommendation, incumbents, emerging, features, quality } = artifact;
  const cite = citing(artifact.evidence);
  return {
    kind: 'Market research',
    topic: artifact.product_category,
    title: artifact.short_title || 'Research',
    subtitle: shorten(artifact.product_idea, LONGEST_SUBTITLE),
    summary: artifact.one_line_summary,
    language: /^[a-z]{2,3}$/.test(artifact.idea.language) ? artifact.idea.language : 'en',
    score: {
      value: recommendation.score,
      word: VERDICTS[recommendation.verdict],
      grade: VERDICT_GRADES[recommendation.verdict],
      about: recommendation.rationale,
    },
    facts: [
      { label: 'competitors', value: String(incumbents.length + emerging.length) },
      { label: 'features compared', value: String(features.length) },
      { label: 'sources', value: String(quality.evidence_count) },
      { label: 'domains', value: String(quality.independent_domains) },
    ],
    sections: filledSections([
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

function scoreSection({ recommendation }: ReportedResearch, cite: Cite): Section {
  const reasons = (all: typeof recommendation.reasons_for): Line[] => all.map((reason) => citedLine(reason, cite));
  return {
    id: 'score',
    name: 'Score',
    heading: `How ${Math.round(recommendation.score)} of 100 comes about`,
    blocks: [
      {
        kind: 'chart',
        chart: 'scores',
        scores: recommendation.parts.map(({ key, score, weight, explanation, evidence_ids: ids }) => ({
          ...PARTS[key],
          value: score,
          weight,
          line: { text: explanation, cites: cite(ids) },
        })),
      },
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
          positionsMap(positionsOf(artifact)),
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
