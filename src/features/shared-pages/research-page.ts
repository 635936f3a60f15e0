import { citationsOf, dayOf, engineInWords, VERDICT_ROLES, VERDICTS } from '#features/report-parts';
import type { ResearchArtifact } from '#features/research';
import { count, shorten } from '#lib/text.ts';
import { visibleText } from '#lib/visible-text.ts';
import { PAGE } from '#platform/ports/charts/colours.ts';
import { scoreDial } from '#platform/ports/charts/score.ts';
import { layout } from './layout.ts';
import { citing, name, shown } from './markup.ts';
import { LEAD } from './page-style.ts';
import { assumptionsSheet, buildSheet, doubtsSheet, gapsSheet, methodSheet, peopleSheet, sourcesSheet, stepsSheet } from './research-findings.ts';
import { featuresSheet, rivalsSheet, scoreSheet } from './research-market.ts';

/** What is shown of a research: everything but what it cost and whose it is. */
export type SharedResearch = Omit<ResearchArtifact, 'usage' | 'job_id' | 'id'>;

/** A shared research as a page; everything that came from outside is escaped. @param url of the page */
export function researchPage(artifact: SharedResearch, url: string): string {
  const cite = citing(citationsOf(artifact));
  return layout({
    title: `${artifact.short_title}: market research`,
    summary: artifact.one_line_summary,
    url,
    top: topOf(artifact),
    parts: [
      { id: 'score', name: 'Score', html: scoreSheet(artifact, cite) },
      { id: 'rivals', name: 'Competitors', html: rivalsSheet(artifact, cite) },
      { id: 'features', name: 'Features', html: featuresSheet(artifact, cite) },
      { id: 'people', name: 'For whom', html: peopleSheet(artifact, cite) },
      { id: 'gaps', name: 'Gaps', html: gapsSheet(artifact, cite) },
      { id: 'against', name: 'Evidence against', html: doubtsSheet(artifact, cite) },
      { id: 'assumptions', name: 'Assumptions', html: assumptionsSheet(artifact) },
      { id: 'steps', name: 'Next steps', html: stepsSheet(artifact, cite) },
      { id: 'build', name: 'Build first', html: buildSheet(artifact, cite) },
      { id: 'method', name: 'How it was made', html: methodSheet(artifact) },
      { id: 'sources', name: 'Sources', html: sourcesSheet(artifact) },
    ],
    footer: `Researched by Groundwork on <time datetime="${shown(dayOf(artifact.created_at))}">${shown(dayOf(artifact.created_at))}</time> by ${shown(engineInWords(artifact.engine))}. Numbers lead to the sources.`,
  });
}

function topOf(artifact: SharedResearch): string {
  const { recommendation, incumbents, emerging, features, quality } = artifact;
  const language = /^[a-z]{2,3}$/.test(artifact.idea.language) && artifact.idea.language !== 'en' ? ` lang="${artifact.idea.language}"` : '';
  const facts = [
    [count(incumbents.length, 'incumbent'), 'in this market'],
    [count(emerging.length, 'emerging player'), 'behind them'],
    [count(features.length, 'feature'), 'compared'],
    [count(quality.evidence_count, 'source'), `from ${count(quality.independent_domains, 'domain')}`],
  ];
  return `<header class="top">
<p class="kicker">Market research · ${shown(artifact.product_category)}</p>
<h1${language}>${name(artifact.short_title)}</h1>
<p class="lead"${language}>${name(shorten(visibleText(artifact.product_idea), LEAD))}</p>
</header>
<div class="sheet">
<div class="verdict">
${scoreDial(recommendation.score, VERDICT_ROLES[recommendation.verdict], PAGE, 220)}
<div><p class="word ${VERDICT_ROLES[recommendation.verdict]}">${shown(VERDICTS[recommendation.verdict])}</p>
<p><span class="sr">Score ${Math.round(recommendation.score)} of 100. </span>${shown(recommendation.rationale)}</p></div>
</div>
<ul class="facts">${facts.map(([amount, of]) => `<li><strong>${amount}</strong> ${of}</li>`).join('')}</ul>
</div>`;
}
