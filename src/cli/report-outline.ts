import { dayOf, furtherAgainst, heldInWords, KINDS, PARTS, percentOf, TIERS, verdictLine } from '#features/report-parts';
import type { ResearchArtifact } from '#features/research';
import { count, listOf } from '#lib/text.ts';
import { citing, entries, entry, line, lines, outline, remark, section, type Block, type Cite, type Outline, type Section } from './outline.ts';
import { sourcesLine } from './report-words.ts';

/** The report as a founder reads it, top to bottom. Sections that would be empty are left out, and so are citations that lead nowhere. */
export function outlineOf(artifact: ResearchArtifact): Outline {
  const cite = citing(artifact.evidence.map(({ id }) => id));
  const sections: Section[] = [
    verdict(artifact, cite),
    section('Who is already there', [
      entries('Incumbents', artifact.incumbents.map(rivalEntry(artifact, cite))),
      entries('Emerging players', artifact.emerging.map(rivalEntry(artifact, cite))),
    ]),
    section('Features and how common they are', featureBlocks(artifact, cite)),
    section('Gaps', [entries(null, artifact.whitespaces.map(gapEntry(artifact, cite)))]),
    section('What else speaks against it', [
      entries(
        null,
        furtherAgainst(artifact).map((item) => remark(item.text, cite(item.evidence_ids))),
      ),
    ]),
    section('Assumptions that nothing supports', [
      entries(
        null,
        artifact.assumptions.map((item) => entry(item.text, [line(item.why_it_matters)])),
      ),
    ]),
    section('Next steps', [entries(null, artifact.next_steps.map(stepEntry(artifact, cite)), true)]),
    section('What to build first', [
      entries('Phase 1', artifact.build_readiness.phase_1.map(buildEntry(cite)), true),
      entries('Phase 2', artifact.build_readiness.phase_2.map(buildEntry(cite)), true),
    ]),
    section('Sources', [entries(null, artifact.evidence.map(sourceEntry), true)]),
    section('Warnings', [
      entries(
        null,
        artifact.warnings.map((warning) => remark(warning)),
      ),
    ]),
    about(artifact),
  ];
  return outline({
    title: artifact.short_title || 'Research',
    category: artifact.product_category,
    summary: artifact.one_line_summary,
    sections,
  });
}

function verdict({ recommendation }: ResearchArtifact, cite: Cite): Section {
  const reasons = (list: typeof recommendation.reasons_for) => list.map((reason) => remark(reason.text, cite(reason.evidence_ids)));
  return section(verdictLine(recommendation), [
    lines([line(recommendation.rationale)]),
    {
      kind: 'scores',
      bars: recommendation.parts.map((part) => ({
        label: PARTS[part.key].name,
        score: Math.round(part.score),
        weight: part.weight,
        line: line(part.explanation, cite(part.evidence_ids)),
      })),
    },
    entries('For', reasons(recommendation.reasons_for)),
    entries('Against', reasons(recommendation.reasons_against)),
  ]);
}

const rivalEntry =
  ({ features }: ResearchArtifact, cite: Cite) =>
  (rival: ResearchArtifact['incumbents'][number]) => {
    const held = heldInWords(rival, features);
    return entry(
      rival.name,
      [
        line(rival.description, cite(rival.evidence_ids)),
        line(rival.pricing ? `Pricing: ${rival.pricing.replaceAll('_', ' ')}` : ''),
        line(rival.funding ? `Funding: ${rival.funding}` : ''),
      ],
      { url: rival.url, tags: [held && `has ${held}`, rival.founded === null ? '' : `founded ${rival.founded}`] },
    );
  };

function featureBlocks({ features, market }: ResearchArtifact, cite: Cite): Block[] {
  const nameOf = new Map(market.competitors.map((rival) => [rival.id, rival.name]));
  return (['table_stakes', 'common', 'rare', 'only_this_idea'] as const).map((tier) =>
    entries(
      capital(TIERS[tier]),
      features
        .filter((feature) => feature.tier === tier)
        .map((feature) => {
          const holders = feature.held_by.map((holder) => nameOf.get(holder) ?? holder);
          const who = holders.length > 0 ? `Has it: ${listOf(holders)}.` : 'Nobody who is known has it.';
          return entry(feature.name, [line(feature.description), line(who, cite(feature.evidence_ids))], {
            tags: [feature.asked_for ? 'asked for' : '', holders.length > 0 ? `${percentOf(feature.frequency)} of the known products` : ''],
          });
        }),
    ),
  );
}

const gapEntry =
  ({ features }: ResearchArtifact, cite: Cite) =>
  (gap: ResearchArtifact['whitespaces'][number]) => {
    const names = gap.feature_ids.flatMap((id) => features.find((feature) => feature.id === id)?.name ?? []);
    return entry(gap.title, [
      line(gap.description, cite(gap.evidence_ids)),
      line(names.length > 0 ? `${names.length === 1 ? 'Feature' : 'Features'}: ${listOf(names)}.` : ''),
    ]);
  };

const stepEntry =
  ({ assumptions }: ResearchArtifact, cite: Cite) =>
  (step: ResearchArtifact['next_steps'][number]) => {
    const tested = assumptions.find((assumption) => assumption.id === step.assumption_id);
    return entry(step.title, [
      line(step.how, cite(step.evidence_ids)),
      line(tested ? `Tests the assumption: ${tested.text}` : ''),
      line(step.success_signal ? `What tells: ${step.success_signal}` : ''),
    ]);
  };

const buildEntry = (cite: Cite) => (item: ResearchArtifact['build_readiness']['phase_1'][number]) =>
  entry(item.label, [line(item.reason, cite(item.evidence_ids))]);

const sourceEntry = (row: ResearchArtifact['evidence'][number]) =>
  entry(row.title || 'Untitled', [line(row.snippet)], { url: row.source_url, tags: [KINDS[row.source_kind], dayOf(row.fetched_at)] });

function about({ engine, quality, created_at: createdAt }: ResearchArtifact): Section {
  const model = [engine.model, engine.provider].filter(Boolean).join(', ');
  const by = engine.analyst === 'rule' ? 'rules over the evidence, without a language model' : `a language model${model ? ` (${model})` : ''}`;
  const gathered = `${count(quality.evidence_count, 'source')} from ${count(quality.independent_domains, 'domain')} (${sourcesLine(quality.sources)})`;
  const dropped = [
    quality.fabricated_citations > 0 ? `${count(quality.fabricated_citations, 'citation')} of something that was not gathered` : '',
    quality.unsupported_dropped > 0 ? `${count(quality.unsupported_dropped, 'statement')} that nothing supported` : '',
  ].filter(Boolean);
  return section('About this report', [
    lines([
      line(`Researched on ${dayOf(createdAt)} by ${by}.`),
      line(`It rests on ${gathered}.`),
      line(dropped.length > 0 ? `Left out: ${listOf(dropped)}.` : ''),
    ]),
  ]);
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
