import { outlineBrief, type BriefOutline, type findSharedBrief, type OutlineBlock } from '#features/briefs';
import { dayOf, inWords, percentOf, positionsMap, type Citations, type Position } from '#features/report-parts';
import { count } from '#lib/text.ts';
import { PAGE, roleOfScore } from '#platform/ports/charts/colours.ts';
import { scoreDial } from '#platform/ports/charts/score.ts';
import { layout } from './layout.ts';
import { bullets, cards, citing, linked, mapFigure, name, pairs, scrolling, sheet, shown, type Cite } from './markup.ts';

export type SharedBrief = NonNullable<Awaited<ReturnType<typeof findSharedBrief>>>;

/** A shared brief as a page, of the same parts as that of a research. @param url of the page */
export function briefPage(brief: SharedBrief, url: string): string {
  const outline = outlineBrief(brief);
  const cite = citing(citationsOf(outline));
  const positions = positionsOf(brief);
  const numbers = new Map(brief.sources.map(({ id }, place) => [id, String(place + 1)]));
  const numberOf: NumberOf = (ids) => ids.flatMap((id) => numbers.get(id) ?? []);
  return layout({
    title: `${outline.title}: market brief`,
    summary: summaryOf(outline),
    url,
    top: topOf(outline),
    parts: [
      ...outline.sections.map((section) => ({
        id: section.type,
        name: section.title,
        html: section.failed
          ? ''
          : sheet(section.type, section.title, section.type === 'market_map' ? figureOf(positions) : '', ...partsOf(section, brief, cite, numberOf)),
      })),
      { id: 'sources', name: 'Sources', html: sourcesSheet(outline) },
    ],
    footer: `Written by Groundwork; revision ${outline.revision} of <time datetime="${dayOf(outline.updatedAt)}">${dayOf(outline.updatedAt)}</time>. Numbers lead to the sources.`,
  });
}

type NumberOf = (ids: readonly string[]) => string[];
type Rival = NonNullable<SharedBrief['incumbents']>[number];

/** Products stand beside each other as cards; everything else is read from top to bottom. */
function partsOf({ type, blocks }: BriefOutline['sections'][number], brief: SharedBrief, cite: Cite, numberOf: NumberOf): string[] {
  const rivals = type === 'incumbents' || type === 'emerging' ? brief[type] : undefined;
  return rivals
    ? [
        cards(
          rivals.map((rival) => rivalCard(rival, cite, numberOf)),
          'rivals',
        ),
      ]
    : blocks.map((block) => blockOf(block, cite));
}

function rivalCard(rival: Rival, cite: Cite, numberOf: NumberOf): string {
  const cited = ({ text, evidence_ids: ids }: { text: string; evidence_ids: string[] }): string => `${shown(text)} ${cite(numberOf(ids))}`;
  const list = (heading: string, items: Rival['strengths']): string => (items.length > 0 ? `<h4>${heading}</h4>${bullets(items.map(cited))}` : '');
  const facts = pairs([
    ['Covers', `${percentOf(rival.overlap)} of the idea`],
    ['Pricing', rival.pricing && shown(inWords(rival.pricing))],
    ['Since', rival.founded === null ? null : String(rival.founded)],
    ['Owner, money', rival.funding && shown(rival.funding)],
  ]);
  return `<li><h3>${linked(rival.name, rival.url)} ${cite(numberOf(rival.evidence_ids))}</h3><p>${shown(rival.description)}</p>${facts}${list('Strong at', rival.strengths)}${list('Leaves room', rival.weaknesses)}${rival.meaning ? `<p class="signal">${cited(rival.meaning)}</p>` : ''}</li>`;
}

/** What the brief says first. */
export const summaryOf = ({ title, sections }: BriefOutline): string => {
  const [first] = sections.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.kind === 'paragraph' ? [block.line.text] : block.kind === 'list' ? block.items.map(({ text }) => text) : [])),
  );
  return first ?? `Market brief: ${title}`;
};

const citationsOf =
  ({ sources }: BriefOutline): Citations =>
  (ids) =>
    ids.flatMap((id) => sources.filter(({ number }) => String(number) === id).map(({ number, title }) => ({ place: number, title })));

const positionsOf = ({ market_map: map }: SharedBrief): Position[] =>
  [...(map?.positions ?? [])]
    .sort((left, right) => right.overlap - left.overlap || right.breadth - left.breadth)
    .map(({ name, is_incumbent: established, overlap, breadth }) => ({ name, established, overlap: overlap / 100, features: breadth }));

const figureOf = (positions: readonly Position[]): string =>
  mapFigure(positionsMap(positions, PAGE, { width: 900, height: 470 }), positionsMap(positions, PAGE, { width: 360, height: 430 }));

function topOf({ title, audience, qualityScore, sections, sources, revision }: BriefOutline): string {
  const score = Math.round(qualityScore);
  return `<header class="top"><p class="kicker">Market brief${audience ? ` for the ${shown(audience)}` : ''}</p><h1>${name(title)}</h1></header>
<div class="sheet"><div class="verdict">${scoreDial(score, roleOfScore(score), PAGE, 220)}
<div><p class="word">Quality of this brief</p><p><span class="sr">${score} of 100. </span>How much of the market it covers, how well its statements are borne out, and how specific they are.</p></div></div>
<ul class="facts"><li><strong>${count(sections.length, 'section')}</strong></li><li><strong>${count(sources.length, 'source')}</strong></li><li><strong>Revision ${revision}</strong></li></ul></div>`;
}

function blockOf(block: OutlineBlock, cite: Cite): string {
  const cited = ({ text, sources }: { text: string; sources: number[] }): string => `${shown(text)} ${cite(sources.map(String))}`;
  if (block.kind === 'paragraph') return `<p>${cited(block.line)}</p>`;
  const heading = block.heading ? `<h3>${shown(block.heading)}</h3>` : '';
  if (block.kind === 'list') return heading + bullets(block.items.map(cited));
  const head = block.head.map((title) => `<th scope="col">${shown(title)}</th>`).join('');
  const rows = block.rows.map(({ cells: [first = '', ...rest], sources }) => {
    const cells = rest.map((cell) => `<td>${/^https?:/.test(cell) ? linked(cell, cell) : shown(cell)}</td>`).join('');
    return `<tr><th scope="row">${shown(first)} ${cite(sources.map(String))}</th>${cells}</tr>`;
  });
  return (
    heading +
    scrolling(block.heading ?? block.head.join(', '), `<table class="rows"><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>`)
  );
}

function sourcesSheet({ sources }: BriefOutline): string {
  const items = sources.map(({ number, title, url, snippet }) => `<li id="s${number}">${linked(title, url)}<small>${shown(snippet)}</small></li>`);
  return items.length > 0 ? sheet('sources', count(items.length, 'source'), `<ol class="sources">${items.join('\n')}</ol>`) : '';
}
