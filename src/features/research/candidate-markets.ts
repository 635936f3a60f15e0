import { openCatalogue, wordsFor, type Category } from '#features/catalogue';
import { stableId } from '#lib/ids.ts';
import { certaintyIn, type Finding, type Interpretation } from './analyst.ts';
import { chooseMarkets } from './rule-analyst/markets.ts';
import type { CandidateMarket } from './schema.ts';
import { searchCatalogue } from './sources/catalogue.ts';
import type { Source } from './sources/source.ts';

const FIRMS = 5;
const WORDS = 6;

/** The markets that may be meant where none is sure, each with the firms nearest to the idea; none where it is. */
export function candidateMarkets(idea: string, about: Interpretation): CandidateMarket[] {
  if (certaintyIn(about) === 'sure' || !about.candidates || about.candidates.length === 0) return [];
  const { companies } = chooseMarkets(idea, about.told).answer;
  return about.candidates.flatMap(({ id, confidence }) => {
    const market = openCatalogue().category(id);
    if (!market) return [];
    const nearest = companies.filter(({ category }) => category.id === id).slice(0, FIRMS);
    const firms = nearest.map(({ company }) => ({ name: company.name, url: `https://${company.domain}`, line: company.summary }));
    return [{ id, name: market.name, confidence, words: wordsFor(idea, id, WORDS), firms }];
  });
}

/** Two questions whose answers would decide which of some markets is meant. */
export function decidingQuestions(candidates: readonly CandidateMarket[]): string[] {
  const [first, second] = candidates.flatMap(({ id }) => openCatalogue().category(id) ?? []);
  if (!first) return [];
  if (!second) return [`Is it about ${first.name}?`, 'Which product do people use for it today?'];
  const either = (pick: (market: Category) => string | undefined): string =>
    `${pick(first) ?? first.name} (${first.name}), or ${pick(second) ?? second.name} (${second.name})`;
  return [`Who is it for: ${either(({ audience }) => audience[0])}?`, `What should it do first: ${either(({ use_cases: uses }) => uses[0])}?`];
}

/** In place of the catalogue where no market is sure: the firms of those that may be meant, as what was looked at and nothing more. */
const searchCandidates: Source = {
  name: 'catalogue',
  seconds: 5,
  computes: true,
  search: async ({ job, ctx }, about) => {
    const now = ctx.clock.now().toISOString();
    const findings = candidateMarkets(job.idea, about).flatMap(({ id, name: market, firms }) =>
      firms.map(({ name, url, line }): Finding => ({
        id: stableId(`${job.id} candidate ${id} ${name}`),
        kind: 'canonical_company',
        url,
        title: name,
        snippet: line,
        text: `${line} Market: ${market}.`,
        confidence: 0.25,
        freshness: 0.5,
        fetchedAt: now,
        facts: null,
      })),
    );
    return { findings, found: findings.length, warning: null };
  },
};

/** What the catalogue is asked for an idea: its market, or where none is sure the firms of those that may be meant. */
export const catalogueFor = (about: Interpretation): Source =>
  certaintyIn(about) !== 'sure' && (about.candidates ?? []).length > 0 ? searchCandidates : searchCatalogue;
