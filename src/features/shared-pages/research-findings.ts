import { dayOf, furtherAgainst, gatheredInWords, KINDS, percentOf } from '#features/report-parts';
import { count } from '#lib/text.ts';
import { bullets, linked, name, sheet, shown, type Cite } from './markup.ts';
import { LEAD } from './page-style.ts';
import type { SharedResearch } from './research-page.ts';

export function peopleSheet({ market }: SharedResearch, cite: Cite): string {
  const part = (heading: string, list: readonly string[]): string =>
    list.length > 0 ? `<div><h3>${heading}</h3>${bullets(list.map(shown))}</div>` : '';
  const columns = part('Who it is for', market.audience) + part('What they want done', market.use_cases);
  return columns === ''
    ? ''
    : sheet(
        'people',
        'The people in this market',
        `<div class="two">${columns}</div>`,
        `<p class="quiet">From the sources ${cite(market.evidence_ids)}</p>`,
      );
}

export const gapsSheet = ({ whitespaces }: SharedResearch, cite: Cite): string =>
  sheet('gaps', 'Gaps', ...whitespaces.map((gap) => `<h3>${shown(gap.title)}</h3><p>${shown(gap.description)} ${cite(gap.evidence_ids)}</p>`));

export function doubtsSheet(artifact: SharedResearch, cite: Cite): string {
  const further = furtherAgainst(artifact);
  if (further.length === 0) return '';
  const repeated = artifact.evidence_against.length - further.length;
  return sheet(
    'against',
    'Further evidence against the idea',
    repeated > 0
      ? `<p class="quiet">Beside ${repeated === 1 ? 'the one' : `the ${repeated}`} under <a href="#score">what speaks against it</a>:</p>`
      : '',
    bullets(further.map(({ text, evidence_ids: ids }) => `${shown(text)} ${cite(ids)}`)),
  );
}

export const assumptionsSheet = ({ assumptions }: SharedResearch): string =>
  sheet(
    'assumptions',
    'Assumed, and supported by nothing yet',
    ...assumptions.map(({ text, why_it_matters: why }) => `<h3>${shown(text)}</h3><p>${shown(why)}</p>`),
  );

export function stepsSheet({ next_steps: steps, assumptions }: SharedResearch, cite: Cite): string {
  const items = steps.map((step) => {
    const tested = assumptions.find(({ id }) => id === step.assumption_id);
    return `<li><h3>${shown(step.title)}</h3><p>${shown(step.how)} ${cite(step.evidence_ids)}</p><p class="signal">${shown(step.success_signal)}</p>${tested ? `<p class="quiet">Tests: ${shown(tested.text)}</p>` : ''}</li>`;
  });
  return items.length > 0 ? sheet('steps', 'Next steps', `<ol class="steps">${items.join('\n')}</ol>`) : '';
}

export function buildSheet({ build_readiness: ready }: SharedResearch, cite: Cite): string {
  const phase = (heading: string, list: SharedResearch['build_readiness']['phase_1']): string =>
    list.length > 0
      ? `<h3>${heading}</h3>${bullets(
          list.map(({ label, reason, evidence_ids: ids }) => `<strong>${shown(label)}</strong>: ${shown(reason)} ${cite(ids)}`),
          'ol',
        )}`
      : '';
  return sheet('build', 'What to build first', phase('First', ready.phase_1), phase('Then', ready.phase_2));
}

export function methodSheet(artifact: SharedResearch): string {
  const { quality, warnings } = artifact;
  const caught =
    quality.fabricated_citations + quality.unsupported_dropped > 0
      ? `${count(quality.fabricated_citations, 'citation')} of nothing gathered and ${count(quality.unsupported_dropped, 'statement')} without support were caught and left out.`
      : 'Every statement above rests on the sources below; nothing had to be left out for lack of one.';
  return sheet(
    'method',
    'How this was made',
    bullets([...gatheredInWords(artifact), ...warnings].map(shown)),
    `<p>${caught}</p>`,
    wholeIdea(artifact.product_idea),
  );
}

const wholeIdea = (idea: string): string => (idea.length > LEAD ? `<h3>The idea as it was given</h3><p>${name(idea)}</p>` : '');

export function sourcesSheet({ evidence }: SharedResearch): string {
  const items = evidence.map((row, index) => {
    const sure = row.confidence === null ? '' : `, confidence ${percentOf(row.confidence)}`;
    return `<li id="s${index + 1}">${linked(row.title, row.source_url)} <span class="quiet">${shown(KINDS[row.source_kind])}, <time datetime="${shown(dayOf(row.fetched_at))}">${shown(dayOf(row.fetched_at))}</time>${sure}</span><small>${shown(row.snippet)}</small></li>`;
  });
  return items.length > 0 ? sheet('sources', count(items.length, 'source'), `<ol class="sources">${items.join('\n')}</ol>`) : '';
}
