import { escapeHtml } from '../../../lib/text.ts';
import { drawnText, fontRuns } from './fonts.ts';

const LABEL = /(<text\b[^>]*>)([^<]+)(<\/text>)/g;
const SIGNS: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };

/** A picture whose labels are set in families that have their signs, as runs of a line. Labels hold no markup but entities. */
export const setLabels = (svg: string): string =>
  svg.replaceAll(LABEL, (whole, open: string, text: string, close: string) => {
    // What an entity stands for: one that was broken where a long word is would be no entity any more.
    const signs = text.replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => SIGNS[entity] ?? entity).replaceAll('\n', ' ');
    const runs = fontRuns(signs);
    if (runs.every(({ font }) => font === 'Inter')) return whole;
    const spans = runs.map(({ text: run, font }) => `<tspan font-family="${font}">${escapeHtml(run.replaceAll('\n', ' '))}</tspan>`);
    return `${open}${spans.join('')}${close}`;
  });

/** A picture whose labels hold only signs that can be drawn; whoever draws it chooses the family for each. */
export const drawnLabels = (svg: string): string =>
  svg.replaceAll(LABEL, (_whole, open: string, text: string, close: string) => `${open}${drawnText(text)}${close}`);
