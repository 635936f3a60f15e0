import { stableId } from '../lib/ids.ts';
import type { ResearchArtifact } from '#features/research';

const CREATED = '2026-03-04T05:06:07.000Z';
const source = (name: string): string => stableId(`source ${name}`);

type Rival = ResearchArtifact['incumbents'][number];
type Feature = ResearchArtifact['features'][number];

const rival = (name: string, more: Partial<Rival> = {}): Rival => ({
  id: name.toLowerCase(),
  name,
  description: `Bookings and reminders for salons, made by ${name}.`,
  url: `https://${name.toLowerCase()}.example`,
  funding: null,
  is_incumbent: true,
  founded: 2011,
  pricing: 'subscription',
  features: [],
  overlap: 0.7,
  evidence_ids: [source(name)],
  ...more,
});

const feature = (name: string, holders: string[], more: Partial<Feature> = {}): Feature => ({
  id: name.toLowerCase().replaceAll(' ', '-'),
  name,
  description: `What ${name.toLowerCase()} does.`,
  tier: 'common',
  frequency: holders.length / 3,
  held_by: holders,
  asked_for: false,
  evidence_ids: [source(name)],
  ...more,
});

const evidence = (name: string, kind: ResearchArtifact['evidence'][number]['source_kind']): ResearchArtifact['evidence'][number] => ({
  id: source(name),
  source_kind: kind,
  source_url: kind === 'canonical_company' ? `https://${name.toLowerCase()}.example` : null,
  title: name,
  snippet: `About ${name.toLowerCase()}.`,
  confidence: 0.8,
  freshness_score: 0.9,
  fetched_at: CREATED,
});

/** A completed research of a small market: Acme holds the one feature that the idea asks for, Plain costs nothing. */
export function marketArtifact(more: Partial<ResearchArtifact> = {}): ResearchArtifact {
  const acme = rival('Acme', { overlap: 1, features: ['route-planning', 'booking'] });
  const plain = rival('Plain', { pricing: 'free', founded: null, overlap: 0.5, features: ['booking'] });
  const newco = rival('Newco', { is_incumbent: false, founded: 2024, overlap: 0.1, features: ['booking', 'deposits'] });
  const routes = feature('Route planning', ['acme'], { asked_for: true, tier: 'rare' });
  const booking = feature('Booking', ['acme', 'plain', 'newco'], { tier: 'table_stakes' });
  const deposits = feature('Deposits', ['newco'], { tier: 'rare' });
  return {
    id: stableId('artifact'),
    job_id: stableId('job'),
    product_idea: 'Booking with route planning for mobile dog groomers',
    product_category: 'Appointment booking',
    product_name: 'Groomer Booking',
    short_title: 'Groomer Booking',
    one_line_summary: 'Booking for mobile dog groomers.',
    engine: { analyst: 'rule', provider: null, model: null },
    idea: {
      raw_input: 'Booking with route planning for mobile dog groomers',
      normalized_idea: 'Booking with route planning for mobile dog groomers.',
      language: 'en',
      target_user: 'Mobile dog groomers',
      problem_statement: 'too much driving',
      proposed_solution: 'bookings in the order of a route',
    },
    classification: {
      certainty: 'sure',
      candidates: [],
      questions: [],
      category: 'Appointment booking',
      subcategory: 'Routing',
      market_type: 'b2b',
      confidence: 0.9,
      category_ids: ['appointment-booking'],
    },
    market: {
      audience: ['mobile dog groomers', 'small salons'],
      use_cases: ['book a visit'],
      competitors: [acme, plain, newco],
      opportunities: [],
      evidence_ids: [source('Acme')],
    },
    incumbents: [acme, plain],
    emerging: [newco],
    features: [routes, booking, deposits],
    whitespaces: [
      {
        id: 'scarce-route-planning',
        title: '“Route planning”: 1 of 3 rivals',
        description: 'The idea asks for “Route planning”; only Acme has it.',
        feature_ids: ['route-planning'],
        evidence_ids: [source('Route planning'), source('Acme')],
      },
      {
        id: 'audience-mobile-dog-groomers',
        title: 'No rival is described as made for mobile dog groomers',
        description: 'None of the descriptions of 3 rivals names mobile dog groomers.',
        feature_ids: [],
        evidence_ids: [source('Acme'), source('Plain'), source('Newco')],
      },
      {
        id: 'rare-deposits',
        title: '“Deposits” is rare',
        description: 'Of 3 rivals only Newco has “Deposits”; the idea does not ask for it either.',
        feature_ids: ['deposits'],
        evidence_ids: [source('Deposits'), source('Newco')],
      },
    ],
    recommendation: {
      score: 62,
      verdict: 'test_first',
      rationale: 'Worth a test.',
      reasons_for: [{ text: 'Acme and Newco charge.', evidence_ids: [source('Acme'), source('Newco')] }],
      reasons_against: [{ text: 'Acme already has “Route planning”.', evidence_ids: [source('Acme')] }],
      parts: [
        {
          key: 'demand',
          score: 60,
          weight: 0.2,
          explanation: '2 of 3 rivals charge.',
          inputs: { rivals: 3, charging: 2 },
          evidence_ids: [source('Acme')],
        },
      ],
    },
    evidence_against: [{ text: 'Acme already has “Route planning”.', evidence_ids: [source('Acme')] }],
    assumptions: [{ id: 'pay', text: 'That groomers pay.', why_it_matters: 'Plain costs nothing.' }],
    next_steps: [
      { title: 'Ask ten groomers', how: 'Call them.', success_signal: 'Go on at 6 of 10.', assumption_id: 'pay', evidence_ids: [] },
      { title: 'Show a page', how: 'Take deposits.', success_signal: 'Go on at 5 of 100.', assumption_id: 'pay', evidence_ids: [] },
    ],
    build_readiness: {
      phase_1: [{ id: 'route-planning', label: 'Route planning', reason: 'The idea asks for it.', evidence_ids: [source('Route planning')] }],
      phase_2: [{ id: 'booking', label: 'Booking', reason: 'All 3 rivals have it.', evidence_ids: [source('Booking')] }],
    },
    ui_sections: [],
    evidence: [
      ...['Acme', 'Plain', 'Newco'].map((name) => evidence(name, 'canonical_company')),
      ...['Route planning', 'Booking', 'Deposits'].map((name) => evidence(name, 'canonical_feature')),
    ],
    quality: {
      overall_score: 62,
      evidence_count: 6,
      evidence_by_kind: { web: 0, canonical_company: 3, canonical_feature: 3, prior_research: 0 },
      independent_domains: 3,
      fabricated_citations: 0,
      unsupported_dropped: 0,
      sources: [],
    },
    warnings: [],
    usage: {},
    created_at: CREATED,
    ...more,
  };
}
