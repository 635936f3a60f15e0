import type { Competitor } from '../schema.ts';
import { plainAddress, siteOf } from './addresses.ts';
import { keepSound, type Grounds } from './grounds.ts';
import { plain } from './plain-text.ts';
import type { Tally } from './tally.ts';

type Source = Grounds['byId'] extends ReadonlyMap<string, infer S> ? S : never;

/** A rival with only those of its particulars that its own sources bear out, or nothing when none of them names it. */
export function lockCompetitor(rival: Competitor, grounds: Grounds, tally: Tally): Competitor | undefined {
  const cited = tally.cited(rival.evidence_ids);
  if (cited.length === 0) return tally.drop('unsupported');
  const sources = cited.flatMap((id) => grounds.byId.get(id) ?? []);
  const naming = sources.filter((source) => names(source, rival.name));
  if (naming.length === 0) return tally.drop('fabricated');
  return {
    ...rival,
    url: addressOf(rival, sources, grounds, tally),
    description: descriptionOf(rival, naming, grounds, tally),
    founded: foundedOf(rival, sources, tally),
    funding: soundOrNull(rival.funding, grounds, tally),
    pricing: soundOrNull(rival.pricing, grounds, tally),
    overlap: Math.min(1, Math.max(0, rival.overlap)),
    evidence_ids: cited,
  };
}

const squeeze = (text: string): string => plain(text).replaceAll(' ', '');

/** Whether a finding has the name in its text, or is a page of the site that bears it. */
function names({ finding, text }: Source, name: string): boolean {
  const wanted = plain(name);
  if (wanted === '') return false;
  if (text.includes(` ${wanted} `)) return true;
  const site = siteOf(finding.url);
  const label = squeeze(site.split('.')[0] ?? '');
  return [squeeze(site), label, label.replace(/^(?:get|try|use|join|hello)|(?:app|hq)$/g, '')].includes(squeeze(name));
}

const factsOf = ({ finding }: Source, name: string) =>
  finding.facts?.kind === 'company' && squeeze(finding.facts.name) === squeeze(name) ? finding.facts : undefined;

/** Its address when that is among the sources, else the one the catalogue knows. */
function addressOf({ name, url }: Competitor, sources: readonly Source[], grounds: Grounds, tally: Tally): string | null {
  if (url === null) return null;
  const site = siteOf(url);
  const isFound = site !== '' && (grounds.addresses.has(plainAddress(url)) || sources.some(({ finding }) => siteOf(finding.url) === site));
  if (isFound) return url;
  tally.count('fabricated');
  const known = sources.flatMap((source) => factsOf(source, name) ?? [])[0];
  return known ? `https://${known.domain}` : null;
}

/** What the analyst wrote, or what the source itself says of the rival. */
function descriptionOf({ description }: Competitor, naming: readonly Source[], grounds: Grounds, tally: Tally): string {
  const { text, faults } = keepSound(description, grounds);
  for (const fault of faults) tally.count(fault);
  return text || (naming[0]?.finding.snippet ?? '');
}

function foundedOf({ founded }: Competitor, sources: readonly Source[], tally: Tally): number | null {
  if (founded === null || sources.some(({ text }) => text.includes(` ${founded} `))) return founded;
  return tally.drop('unsupported') ?? null;
}

function soundOrNull(text: string | null, grounds: Grounds, tally: Tally): string | null {
  return text === null || tally.passes(grounds.faultOf(text)) ? text : null;
}
