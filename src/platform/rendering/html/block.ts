import { PAGE } from '../charts/colours.ts';
import { drawDependencies, drawScatter } from '../charts/draw-chart.ts';
import { scoreBar } from '../charts/score.ts';
import { percentOf } from '#lib/text.ts';
import type { Block, Chart, Entry, Fact, Line, Source, TreeItem } from '../document.ts';
import { lineHtml, linked, name, scrolling, shown, type Cite } from './markup.ts';
import { matrixHtml } from './matrix.ts';

/** What stands around a block: the level that its headings have. */
export type Place = { level: 3 | 4; cite: Cite };

/** A block as markup; everything that came from outside is escaped. */
function blockHtml(block: Block, place: Place): string {
  const { level, cite } = place;
  switch (block.kind) {
    case 'heading':
      return `<h${level}>${shown(block.text)}</h${level}>`;
    case 'paragraph':
      return `<p${block.tone ? ` class="${block.tone}"` : ''}>${lineHtml(block.line, cite)}</p>`;
    case 'callout':
      return `<p class="callout">${lineHtml(block.line, cite)}</p>`;
    case 'list':
      return listHtml(block.items, block.ordered ? 'ol' : 'ul', cite);
    case 'table':
      return tableHtml(block, cite);
    case 'matrix':
      return matrixHtml(block, place);
    case 'chart':
      return chartHtml(block, cite);
    case 'tree':
      return `<ul class="tree">${block.items.map((item) => treeItemHtml(item, cite)).join('\n')}</ul>`;
    case 'entries':
      return entriesHtml(block, place);
    case 'sources':
      return `<ol class="sources">${block.sources.map(sourceHtml).join('\n')}</ol>`;
  }
}

export const blocksHtml = (blocks: readonly Block[], place: Place): string => blocks.map((block) => blockHtml(block, place)).join('\n');

const listHtml = (items: readonly Line[], kind: 'ul' | 'ol', cite: Cite): string =>
  `<${kind} class="plain">${items.map((item) => `<li>${lineHtml(item, cite)}</li>`).join('\n')}</${kind}>`;

function tableHtml({ columns, rows }: Extract<Block, { kind: 'table' }>, cite: Cite): string {
  const kind = (at: number): string => (columns[at]?.numeric ? ' class="number"' : '');
  const head = columns.map(({ title }, at) => `<th scope="col"${kind(at)}>${shown(title)}</th>`).join('');
  const body = rows.map(([first = { text: '' }, ...rest]) => {
    const cells = rest.map((cell, at) => `<td${kind(at + 1)}>${lineHtml(cell, cite)}</td>`).join('');
    return `<tr><th scope="row">${lineHtml(first, cite)}</th>${cells}</tr>`;
  });
  const table = `<table class="rows"><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table>`;
  return scrolling(columns.map(({ title }) => title).join(', '), table);
}

function chartHtml(chart: Chart, cite: Cite): string {
  if (chart.chart === 'scores') return scoresHtml(chart.scores, cite);
  if (chart.chart === 'dependencies') return figure(scrolling(chart.about, drawDependencies(chart, PAGE).svg), shown(chart.caption));
  const [roomy, narrow] = [drawScatter(chart, PAGE, { width: 900, height: 470 }), drawScatter(chart, PAGE, { width: 360, height: 430 })];
  const left = ({ unnamed }: { unnamed: string[] }, place: string): string =>
    unnamed.length > 0 ? `<span class="${place}"> Without room for their names: ${unnamed.map(name).join(', ')}.</span>` : '';
  const [first, second] = chart.groups;
  return figure(
    `<div class="roomy">${roomy.svg}</div><div class="narrow">${narrow.svg}</div>`,
    `<span class="key"></span> ${shown(first)}, <span class="key other"></span> ${shown(second)}. ${shown(chart.caption)}${left(roomy, 'roomy')}${left(narrow, 'narrow')}`,
  );
}

/** @param picture and caption markup */
const figure = (picture: string, caption: string): string => `<figure>${picture}\n<figcaption>${caption}</figcaption></figure>`;

function scoresHtml(scores: Extract<Chart, { chart: 'scores' }>['scores'], cite: Cite): string {
  const items = scores.map(({ name: title, asks, value, weight, line }) => {
    const amount = `<span class="amount">${Math.round(value)} <span class="aside">of 100</span></span>`;
    const bar = scoreBar(value, PAGE, { width: 176, height: 8 });
    return `<li><div><strong>${shown(title)}</strong> ${amount}${bar}<span class="aside">weighs ${percentOf(weight)}</span></div><div><p class="asks">${shown(asks)}</p><p>${lineHtml(line, cite)}</p></div></li>`;
  });
  return `<ul class="parts">${items.join('\n')}</ul>`;
}

function entriesHtml({ form, entries }: Extract<Block, { kind: 'entries' }>, place: Place): string {
  const each = entries.map((entry) => entryHtml(entry, place));
  if (form === 'steps') return `<ol class="steps">${each.map((html) => `<li>${html}</li>`).join('\n')}</ol>`;
  if (form === 'sides') return `<div class="two">${each.map((html) => `<div>${html}</div>`).join('')}</div>`;
  if (form === 'points') return each.join('\n');
  const hint = entries.length > 1 ? '<p class="hint" aria-hidden="true">Swipe sideways for more →</p>' : '';
  const long = entries.some(({ blocks }) => blocks.some(({ kind }) => kind === 'list'));
  return `${hint}<ul class="cards swipe${long ? ' long' : ''}">${each.map((html) => `<li>${html}</li>`).join('\n')}</ul>`;
}

/** Title, marks, what is said first, facts, and the rest. */
function entryHtml({ title, tags, facts, blocks }: Entry, { level, cite }: Place): string {
  const inside: Place = { level: 4, cite };
  const said = blocks.findIndex(({ kind }) => kind !== 'paragraph');
  const lead = said < 0 ? blocks.length : said;
  return [
    `<h${level}>${linked(title.text, title.url)}${cite(title.cites)}</h${level}>`,
    ...tags.map((tag) => `<span class="tag">${shown(tag)}</span>`),
    blocksHtml(blocks.slice(0, lead), inside),
    factsHtml(facts),
    blocksHtml(blocks.slice(lead), inside),
  ].join('');
}

const factsHtml = (facts: readonly Fact[]): string =>
  facts.length > 0 ? `<dl class="pairs">${facts.map(({ label, value }) => `<dt>${shown(label)}</dt><dd>${shown(value)}</dd>`).join('')}</dl>` : '';

function treeItemHtml({ depth, number, title, tags, marked, lines }: TreeItem, cite: Cite): string {
  const about = lines.map((line) => `<p>${lineHtml(line, cite)}</p>`).join('');
  const mark = marked ? '<span class="mark">◆</span> ' : '';
  return `<li class="d${Math.min(depth, 6)}">${mark}${shown(number)} <strong>${shown(title)}</strong> ${tags.map((tag) => `<span class="tag">${shown(tag)}</span>`).join(' ')}${about}</li>`;
}

function sourceHtml({ title, url, note, snippet }: Source, at: number): string {
  const about = note === '' ? '' : ` <span class="aside">${shown(note)}</span>`;
  return `<li id="s${at + 1}">${linked(title, url)}${about}<small>${shown(snippet)}</small></li>`;
}
