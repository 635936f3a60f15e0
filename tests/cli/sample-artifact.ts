import { randomUUID } from 'node:crypto';
import type { ResearchArtifact } from '#features/research';

const CREATED = '2026-03-04T05:06:07.000Z';

type Rival = ResearchArtifact['incumbents'][number];
type Feature = ResearchArtifact['features'][number];

export const sources = { rival: randomUUID(), newcomer: randomUUID(), article: randomUUID() };

const rival = (name: string, evidence: string, more: Partial<Rival> = {}): Rival => ({
  id: name.toLowerCase(),
  name,
  description: `${name} sells booking software.`,
  url: `https://${name.toLowerCase()}.example/`,
  funding: null,
  is_incumbent: true,
  founded: 2011,
  pricing: 'from $20 a month',
  features: ['booking'],
  overlap: 0.5,
  evidence_ids: [evidence],
  ...more,
});

const feature = (name: string, tier: Feature['tier'], more: Partial<Feature> = {}): Feature => ({
  id: name.toLowerCase(),
  name,
  description: `What ${name} does.`,
  tier,
  frequency: 0.5,
  held_by: ['acme'],
  asked_for: false,
  evidence_ids: [sources.rival],
  ...more,
});

const evidence = (id: string, title: string, url: string | null, kind: ResearchArtifact['evidence'][number]['source_kind']) => ({
  id,
  source_kind: kind,
  source_url: url,
  title,
  snippet: `About ${title}.`,
  confidence: 0.8,
  freshness_score: 0.9,
  fetched_at: CREATED,
});

const part = (key: ResearchArtifact['recommendation']['parts'][number]['key'], score: number) => ({
  key,
  score,
  weight: 0.2,
  explanation: `Why ${key} stands where it does.`,
  inputs: { counted: 3 },
  evidence_ids: [sources.rival],
});

/** A finished research with something in every section. */
export const sampleArtifact = (more: Partial<ResearchArtifact> = {}): ResearchArtifact => ({
  id: randomUUID(),
  job_id: randomUUID(),
  product_idea: 'Booking for groomers',
  product_category: 'Appointment booking',
  product_name: 'Groomly',
  short_title: 'Groomer Booking',
  one_line_summary: 'Booking for mobile dog groomers.',
  engine: { analyst: 'rule', provider: null, model: null },
  idea: {
    raw_input: 'Booking for groomers',
    normalized_idea: 'Booking for groomers',
    language: 'en',
    target_user: 'groomers',
    problem_statement: 'missed appointments',
    proposed_solution: 'booking',
  },
  classification: {
    category: 'Appointment booking',
    subcategory: '',
    market_type: 'b2b',
    confidence: 0.9,
    category_ids: ['appointment-booking'],
    certainty: 'sure',
    candidates: [],
    questions: [],
  },
  market: {
    audience: ['groomers'],
    use_cases: ['booking'],
    competitors: [rival('Acme', sources.rival), rival('Newco', sources.newcomer, { is_incumbent: false })],
    opportunities: ['Routes'],
    evidence_ids: [sources.rival],
  },
  incumbents: [rival('Acme', sources.rival)],
  emerging: [rival('Newco', sources.newcomer, { is_incumbent: false, founded: 2024, overlap: 0.25 })],
  features: [
    feature('Booking', 'table_stakes', { held_by: ['acme', 'newco'], frequency: 1 }),
    feature('Routes', 'only_this_idea', { held_by: [], frequency: 0, asked_for: true }),
  ],
  whitespaces: [
    { id: 'gap', title: 'Nobody plans routes', description: 'Routes are missing.', feature_ids: ['routes'], evidence_ids: [sources.article] },
  ],
  recommendation: {
    score: 62.4,
    verdict: 'test_first',
    rationale: 'Worth a test.',
    reasons_for: [{ text: 'Routes are free.', evidence_ids: [sources.article] }],
    reasons_against: [{ text: 'Acme is large.', evidence_ids: [sources.rival, sources.newcomer] }],
    parts: [part('demand', 70), part('crowding', 30), part('differentiation', 55), part('evidence', 80), part('clarity', 100)],
  },
  evidence_against: [{ text: 'Groomers may not pay.', evidence_ids: [sources.article] }],
  assumptions: [{ id: 'pays', text: 'Groomers pay monthly.', why_it_matters: 'Else there is no revenue.' }],
  next_steps: [
    { title: 'Ask ten groomers', how: 'Call them.', success_signal: 'Six would pay.', assumption_id: 'pays', evidence_ids: [sources.article] },
  ],
  build_readiness: {
    phase_1: [{ id: 'routes', label: 'Routes', reason: 'Nobody has them.', evidence_ids: [sources.rival] }],
    phase_2: [{ id: 'booking', label: 'Online booking', reason: 'Everybody has it.', evidence_ids: [sources.rival] }],
  },
  ui_sections: [],
  evidence: [
    evidence(sources.rival, 'Acme', 'https://acme.example/', 'canonical_company'),
    evidence(sources.newcomer, 'Newco', 'https://newco.example/', 'canonical_company'),
    evidence(sources.article, 'Groomers on the road', 'https://news.example/groomers', 'web'),
  ],
  quality: {
    overall_score: 62.4,
    evidence_count: 3,
    evidence_by_kind: { web: 1, canonical_company: 2, canonical_feature: 0, prior_research: 0 },
    independent_domains: 3,
    fabricated_citations: 1,
    unsupported_dropped: 0,
    sources: [
      { source: 'catalogue', status: 'ok', found: 4, kept: 2, ms: 3, warning: null },
      { source: 'prior_research', status: 'empty', found: 0, kept: 0, ms: 1, warning: null },
      { source: 'web', status: 'off', found: 0, kept: 0, ms: 0, warning: null },
    ],
  },
  warnings: ['The source "web" failed: no answer within 25 s.'],
  usage: {},
  created_at: CREATED,
  ...more,
});
