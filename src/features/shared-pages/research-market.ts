import { competitorMap, featureMatrix, heldInWords, inWords, PARTS, percentOf, rivalsOf, TIERS } from '#features/report-parts';
import { count, listOf } from '#lib/text.ts';
import { PAGE } from '#platform/ports/charts/colours.ts';
import { scoreBar } from '#platform/ports/charts/score.ts';
import { bullets, cards, linked, mapFigure, name, pairs, scrolling, sheet, shown, type Cite } from './markup.ts';
import type { SharedResearch } from './research-page.ts';

export function scoreSheet({ recommendation }: SharedResearch, cite: Cite): string {
  const parts = recommendation.parts.map(({ key, score, weight, explanation, evidence_ids: ids }) => {
    const { name: title, asks } = PARTS[key];
    return `<li><div><strong>${shown(title)}</strong> <span class="amount">${Math.round(score)} <span class="quiet">of 100</span></span>${scoreBar(score, PAGE, { width: 176, height: 8 })}<span class="quiet">weighs ${percentOf(weight)}</span></div><div><p class="asks">${shown(asks)}</p><p>${shown(explanation)} ${cite(ids)}</p></div></li>`;
  });
  const reasons = (heading: string, list: SharedResearch['recommendation']['reasons_for']): string =>
    list.length > 0 ? `<div><h3>${heading}</h3>${bullets(list.map(({ text, evidence_ids: ids }) => `${shown(text)} ${cite(ids)}`))}</div>` : '';
  return sheet(
    'score',
    `How ${Math.round(recommendation.score)} of 100 comes about`,
    parts.length > 0 ? `<ul class="parts">${parts.join('\n')}</ul>` : '',
    `<div class="two">${reasons('What speaks for it', recommendation.reasons_for)}${reasons('What speaks against it', recommendation.reasons_against)}</div>`,
  );
}

export function rivalsSheet(artifact: SharedResearch, cite: Cite): string {
  const rivals = rivalsOf(artifact);
  if (rivals.length === 0) return '';
  const { incumbents, emerging } = artifact;
  return sheet(
    'rivals',
    `${count(incumbents.length, 'incumbent')} and ${count(emerging.length, 'emerging player')}`,
    mapFigure(competitorMap(artifact, PAGE, { width: 900, height: 470 }), competitorMap(artifact, PAGE, { width: 360, height: 430 })),
    cards(rivals.map((rival) => rivalCard(rival, artifact.features, cite))),
  );
}

function rivalCard(rival: SharedResearch['incumbents'][number], features: SharedResearch['features'], cite: Cite): string {
  const facts = pairs([
    ['Has', heldInWords(rival, features)],
    ['Features', count(rival.features.length, 'known', 'known')],
    ['Pricing', rival.pricing && shown(inWords(rival.pricing))],
    ['Since', rival.founded === null ? null : String(rival.founded)],
    ['Owner, money', rival.funding && shown(rival.funding)],
  ]);
  return `<li><h3>${linked(rival.name, rival.url)} ${cite(rival.evidence_ids)}</h3><span class="tag">${rival.is_incumbent ? 'incumbent' : 'emerging'}</span><p>${shown(rival.description)}</p>${facts}</li>`;
}

export function featuresSheet(artifact: SharedResearch, cite: Cite): string {
  const { rivals, rows } = featureMatrix(artifact, 24);
  if (rows.length === 0) return '';
  const unasked = rows.filter(({ feature }) => !feature.asked_for && feature.tier === 'table_stakes').map(({ feature }) => feature.name);
  const head = rivals.map((rival) => `<th scope="col"><span>${name(rival.name)}</span></th>`).join('');
  const body = rows.map(({ feature, holds }) => {
    const cells = holds
      .map((held) => (held ? yes('has it') : '<td class="no"><span aria-hidden="true">·</span><span class="sr">not known to have it</span></td>'))
      .join('');
    const mine = feature.asked_for
      ? yes('asked for', 'mine')
      : '<td class="no mine"><span aria-hidden="true">·</span><span class="sr">not asked for</span></td>';
    return `<tr><th scope="row">${shown(feature.name)} ${cite(feature.evidence_ids.slice(0, 1))}<br><span class="tag">${TIERS[feature.tier]}</span></th>${mine}${cells}<td>${feature.held_by.length}</td></tr>`;
  });
  const table = `<table class="matrix"><caption class="sr">Which product is known to have which feature</caption><thead><tr><th scope="col">Feature</th><th scope="col" class="mine"><span>This idea</span></th>${head}<th scope="col"><span>Rivals that have it</span></th></tr></thead><tbody>${body.join('\n')}</tbody></table>`;
  return sheet(
    'features',
    'Who has what',
    unasked.length > 0
      ? `<p>Nearly everybody has ${shown(listOf(unasked))}; the idea does not ask for ${unasked.length === 1 ? 'it' : 'them'}.</p>`
      : '',
    `<p class="quiet"><span class="yes" aria-hidden="true">●</span> known to have it; a dot means not known to, which is not the same as missing. “This idea” is what the text asks for.</p>`,
    scrolling('Features and who has them', table),
    features(artifact),
  );
}

const yes = (words: string, kind = ''): string =>
  `<td class="${`yes ${kind}`.trim()}"><span aria-hidden="true">●</span><span class="sr">${words}</span></td>`;

function features({ features: list }: SharedResearch): string {
  const described = list.filter(({ description }) => description !== '');
  return described.length > 0
    ? `<h3>What these features are</h3><dl class="terms">${described.map((feature) => `<dt>${shown(feature.name)}</dt><dd>${shown(feature.description)}</dd>`).join('')}</dl>`
    : '';
}
