import type { Report } from './research-in-process.ts';

/** A report as plain text, for reading. */
export function reportText({ about, analysis, synthesis, pivots, dropped, ms }: Report): string {
  const { recommendation } = synthesis;
  const percent = (share: number): string => `${Math.round(share * 100)} %`;
  const lines = [
    `${about.shortTitle} | ${about.category} / ${about.subcategory} / ${about.marketType} (${about.confidence}, ${about.certainty ?? ''}) ${about.language} ${about.categoryIds.join(' + ')}`,
    `  summary   ${about.oneLineSummary}`,
    `  idea      ${about.normalizedIdea}`,
    `  user      ${about.targetUser}`,
    `  problem   ${about.problemStatement}`,
    `  solution  ${about.proposedSolution}`,
    `  clarity   ${JSON.stringify(about.clarity)}`,
    `  asked for ${about.askedFor.map(({ label, featureId }) => `${label} [${featureId ?? '-'}]`).join('; ')}`,
    `  queries   ${about.queries.join(' | ')}`,
    `VERDICT ${recommendation.score ?? '-'} ${recommendation.verdict}: ${recommendation.rationale}`,
    ...recommendation.reasons_for.map(({ text }) => `  + ${text}`),
    ...recommendation.reasons_against.map(({ text }) => `  - ${text}`),
    ...recommendation.parts.map((part) => `  ${part.key} ${part.score} x ${part.weight}: ${part.explanation}`),
    'RIVALS',
    ...[...analysis.incumbents, ...analysis.emerging].map(
      (rival) => `  ${rival.is_incumbent ? 'I' : 'e'} ${rival.name} ${percent(rival.overlap)} ${rival.features.length}`,
    ),
    'FEATURES',
    ...analysis.features.map((feature) => `  ${feature.asked_for ? '*' : ' '} ${feature.name} ${feature.tier} ${percent(feature.frequency)}`),
    `AUDIENCE ${analysis.audience.join('; ')}`,
    `USE CASES ${analysis.useCases.join('; ')}`,
    'GAPS',
    ...synthesis.whitespaces.map(({ title, description }) => `  ${title}\n      ${description}`),
    'AGAINST',
    ...synthesis.evidenceAgainst.map(({ text }) => `  ${text}`),
    'ASSUMPTIONS',
    ...synthesis.assumptions.map((entry) => `  [${entry.id}] ${entry.text}\n      ${entry.why_it_matters}`),
    'NEXT STEPS',
    ...synthesis.nextSteps.map((step) => `  [${step.assumption_id}] ${step.title}\n      ${step.how}\n      ${step.success_signal}`),
    'PHASE 1',
    ...synthesis.phase1.map((item) => `  ${item.label}: ${item.reason}`),
    'PHASE 2',
    ...synthesis.phase2.map((item) => `  ${item.label}: ${item.reason}`),
    'PIVOTS',
    ...pivots.map((pivot) => `  ${pivot.idea}\n      ${pivot.rationale}\n      ${pivot.differentiation}`),
    `(${dropped} dropped, ${ms.toFixed(1)} ms)`,
  ];
  return lines.join('\n');
}
