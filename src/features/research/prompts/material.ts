import { shorten } from '#lib/text.ts';
import { shortIds, type Fence } from '#platform/llm/material.ts';
import type { Facts, Finding } from '../analyst.ts';
import { plain, sentencesOf } from '../grounding/plain-text.ts';
import { sameFeatures } from '../rule-analyst/market-features.ts';

/** Findings as a model is shown them: under short ids, between delimiters that no finding can know. */
export type Material = {
  text: string;
  /** The finding's id for a short one; an id that was never given out comes back as it is, and counts as invented later. */
  idOf(short: string): string;
  /** The short ids of those that are shown. */
  shortsOf(ids: readonly string[]): string[];
  /** The feature of the market that a short id (F1, F2, …) means; anything else comes back as it is. */
  featureOf(short: string): string;
  shortOfFeature(id: string): string;
};

/** Characters of each kind of page. */
export type Shown = { page: number; remembered: number };

/** So many of the catalogue's companies are shown, the nearest; whatever is counted is counted over all of them. */
const COMPANIES = 24;
const LEAST_REPEATED = 30;

type Fact<K extends Facts['kind']> = Finding & { facts: Extract<Facts, { kind: K }> };
const isOf =
  <K extends Facts['kind']>(kind: K) =>
  (finding: Finding): finding is Fact<K> =>
    finding.facts?.kind === kind;

/** Each thing once: features with what they mean, companies with the short ids of theirs, pages without what an earlier one said. */
export function materialOf(findings: readonly Finding[], shown: Shown, fence: Fence): Material {
  const same = sameFeatures(findings);
  const features = [
    ...new Map(
      findings
        .filter(isOf('feature'))
        .filter(({ facts }) => same.get(facts.featureId) === facts.featureId)
        .map((finding) => [finding.facts.featureId, finding]),
    ).values(),
  ];
  const companies = findings.filter(isOf('company')).slice(0, COMPANIES);
  const webPages = findings.filter(({ facts }) => facts === null);
  const ids = shortIds([...features, ...companies, ...webPages].map(({ id }) => id));
  const shortOf = (id: string): string => ids.shortOf(id) ?? '';
  const markets = new Set([...features, ...companies].map(({ facts }) => facts.categoryId));
  const places = new Map(features.map(({ facts }, at) => [facts.featureId, at + 1]));
  const codes = new Map(Array.from(places, ([id, place]) => [id, `F${place}`]));
  const byCode = new Map(Array.from(codes, ([id, code]) => [code, id]));
  const where = ({ categoryId }: Facts): string[] => (markets.size > 1 ? [categoryId] : []);
  const featureLines = features.map(({ id, facts }) =>
    fence.clean(`${[shortOf(id), 'feature', codes.get(facts.featureId), ...where(facts)].join(' | ')} | ${facts.name}: ${facts.description}`),
  );
  const companyLines = companies.map(({ id, facts }) => {
    const has = ranged(facts.featureIds.flatMap((feature) => places.get(same.get(feature) ?? feature) ?? []));
    const marks = [
      facts.domain,
      facts.standing,
      facts.founded ? `since ${facts.founded}` : '',
      facts.pricing.replaceAll('_', ' '),
      facts.funding ?? '',
    ];
    const head = [shortOf(id), 'known company', ...marks.filter(Boolean), ...where(facts), has ? `has ${has}` : ''].filter(Boolean);
    return fence.clean(`${head.join(' | ')} | ${facts.name}: ${facts.summary}`);
  });
  const said = new Set<string>();
  const pages = webPages.map((page) => pageLines(page, { shortOf, shown, fence, said }));
  return {
    text: fence.around('The material that was found', [...featureLines, ...companyLines, ...pages].join('\n') || '(nothing was found)'),
    idOf: (short) => ids.idOf(short) ?? short,
    shortsOf: (all) => all.flatMap((id) => ids.shortOf(id) ?? []),
    featureOf: (short) => byCode.get(short.trim().toUpperCase()) ?? short,
    shortOfFeature: (id) => codes.get(id) ?? id,
  };
}

/** `F1-F4,F7` for 4, 1, 2, 3 and 7. */
function ranged(places: readonly number[]): string {
  const sorted = [...new Set(places)].sort((left, right) => left - right);
  const starts = sorted.filter((place) => !sorted.includes(place - 1));
  const endOf = (start: number): number => {
    let end = start;
    while (sorted.includes(end + 1)) end += 1;
    return end;
  };
  return starts.map((start) => (endOf(start) > start ? `F${start}-F${endOf(start)}` : `F${start}`)).join(',');
}

type Page = { shortOf(id: string): string; shown: Shown; fence: Fence; said: Set<string> };

/** A page without the sentences that stood on another one: whole sites say the same in every corner. */
function pageLines({ id, url, title, text, isRemembered = false }: Finding, { shortOf, shown, fence, said }: Page): string {
  const sentences = text.split('\n').flatMap((line) => sentencesOf(fence.clean(line)));
  const fresh = sentences.filter((sentence) => {
    const key = plain(sentence);
    if (key.length < LEAST_REPEATED) return true;
    return !said.has(key) && said.add(key);
  });
  const head = fence.clean([shortOf(id), 'web page', url ?? 'no address'].join(' | '));
  const body = shorten(fresh.join(' '), isRemembered ? shown.remembered : shown.page);
  const heading = fence.clean(title);
  // Many a page begins with its own title.
  return `${head}\nTitle: ${heading}\nText: ${body.startsWith(heading) ? body.slice(heading.length).trimStart() : body}`;
}
