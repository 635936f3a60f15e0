import type { ResearchArtifact } from '#features/research';
import type { QualityParts } from './schema.ts';
import type { SectionContent, SectionContents } from './section-content.ts';
import type { SectionType } from './states.ts';
import { citedIn, statementsIn } from './statements.ts';

/*
 * How good a section is, from 0 to 100. Three parts, each 0 to 1:
 *
 * - coverage (40 %): how much of what a reader expects of this kind of section is there. The expectation is fixed, so that
 *   a research that found little shows as a low score instead of being measured by itself.
 * - evidence (35 %): the number of distinct sources cited, full at `SOURCES`, times their mean confidence on the scale
 *   `CONFIDENT`, where sources without a known confidence count as half.
 * - specificity (25 %): the share of statements that name a product or feature of this research, carry a number, or use
 *   the idea's own words. What would fit any idea lowers it.
 *
 * A brief's score is the mean of its sections by `WEIGHTS`; one that failed counts 0.
 */
const PARTS = { coverage: 0.4, evidence: 0.35, specificity: 0.25 } as const;
const SOURCES = 6;
/** Confidence from which sources count in full: that of a catalogue entry nobody has checked today stays below it. */
const CONFIDENT = 0.8;
const LEAST_CONFIDENT = 0.5;

export const WEIGHTS: Readonly<Record<SectionType, number>> = {
  market_map: 0.2,
  incumbents: 0.15,
  emerging: 0.1,
  features: 0.15,
  market_gaps: 0.15,
  positioning: 0.15,
  mvp_angle: 0.1,
};

/** Parts of a section that a reader expects: each gives what there is of how many. */
const EXPECTED: { [S in SectionType]: (content: SectionContents[S]) => readonly (readonly [number, number])[] } = {
  market_map: ({ summary, audience, segments, positions }) => [
    [summary.length, 4],
    [audience.length, 2],
    [segments.length, 2],
    [positions.length, 5],
  ],
  incumbents: (rivals) => rivalsExpected(rivals, 5),
  emerging: (rivals) => rivalsExpected(rivals, 3),
  features: (features) => [
    [features.length, 12],
    [features.filter(({ reason }) => reason !== null).length, 12],
    [features.filter(({ asked_for: asked }) => asked).length, 2],
  ],
  market_gaps: (gaps) => [
    [gaps.length, 3],
    [gaps.filter(({ caution }) => caution !== null).length, 3],
  ],
  positioning: ({ statement, pillars, against, objections }) => [
    [statement === null ? 0 : 1, 1],
    [pillars.length, 3],
    [against.filter(({ line }) => line !== null).length, 2],
    [objections.length, 2],
  ],
  mvp_angle: ({ wedge, build_first: begin, leave_out: later, first_test: test, assumptions }) => [
    [wedge === null ? 0 : 1, 1],
    [begin.length, 3],
    [later.length, 2],
    [test === null ? 0 : 1, 1],
    [assumptions.length, 2],
  ],
};

const rivalsExpected = (rivals: SectionContents['incumbents'], expected: number): [number, number][] => [
  [rivals.length, expected],
  [rivals.filter(({ strengths }) => strengths.length > 0).length, expected],
  [rivals.filter(({ weaknesses }) => weaknesses.length > 0).length, expected],
  [rivals.filter(({ meaning }) => meaning !== null).length, expected],
];

export type Quality = { score: number; parts: QualityParts };

export function qualityOf<S extends SectionType>(section: S, content: SectionContents[S], artifact: ResearchArtifact): Quality {
  const expected = EXPECTED[section](content);
  const parts: QualityParts = {
    coverage: round2(mean(expected.map(([there, of]) => Math.min(1, there / of)))),
    evidence: round2(evidenceOf(content, artifact)),
    specificity: round2(specificityOf(content, artifact)),
  };
  const score = 100 * (parts.coverage * PARTS.coverage + parts.evidence * PARTS.evidence + parts.specificity * PARTS.specificity);
  return { score: Math.round(score), parts };
}

/** The score of a whole brief from those of its sections; one that is missing counts 0. */
export function overallQuality(scores: Partial<Record<SectionType, number>>): number {
  const sum = (Object.entries(WEIGHTS) as [SectionType, number][]).reduce((total, [section, weight]) => total + weight * (scores[section] ?? 0), 0);
  return Math.round(sum);
}

function evidenceOf(content: SectionContent, { evidence }: ResearchArtifact): number {
  const cited = new Set(citedIn(content));
  const sources = evidence.filter(({ id }) => cited.has(id));
  if (sources.length === 0) return 0;
  const confidence = mean(sources.map((source) => Math.min(1, Math.max(LEAST_CONFIDENT, source.confidence ?? LEAST_CONFIDENT) / CONFIDENT)));
  return Math.min(1, sources.length / SOURCES) * confidence;
}

function specificityOf(content: SectionContent, artifact: ResearchArtifact): number {
  const statements = statementsIn(content);
  if (statements.length === 0) return 0;
  const names = [...artifact.incumbents, ...artifact.emerging, ...artifact.features, { name: artifact.short_title }].map(({ name }) =>
    name.toLowerCase(),
  );
  const own = new Set(longWords(artifact.product_idea));
  const isSpecific = (text: string): boolean => {
    const lower = text.toLowerCase();
    return /\d/.test(text) || names.some((name) => lower.includes(name)) || longWords(text).filter((word) => own.has(word)).length >= 2;
  };
  return statements.filter(({ text }) => isSpecific(text)).length / statements.length;
}

const longWords = (text: string): string[] => [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]{5,}/gu) ?? [])];

const mean = (values: readonly number[]): number => (values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length);

const round2 = (value: number): number => Math.round(value * 100) / 100;
