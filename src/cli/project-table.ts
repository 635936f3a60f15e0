import { count } from '#lib/text.ts';
import { cleanText } from '#lib/clean-text.ts';
import { displayWidth, fitColumns, padColumns, wrapColumns } from '#platform/rendering/terminal/display-width.ts';
import type { ProjectItem } from './find-project.ts';

const GAP = '  ';
/** Columns below which a description says nothing any more. */
const NARROWEST = 12;
const SHORTEST_ID = 8;
const HEADINGS = ['Project', 'State', 'Score', 'Research', 'Changed', 'Id', 'What it is'] as const;

/**
 * Projects as a table. On a terminal, which has `columns`, ids are as long as they must be to tell the projects apart, the
 * description is cut to what is left, and where not even the rest has room each project gets lines of its own.
 */
export function projectTable(items: readonly ProjectItem[], columns?: number): string {
  const idLength = columns === undefined ? undefined : lengthThatTells(items.map((item) => item.project_id));
  const rows = [[...HEADINGS], ...items.map((item) => rowOf(item, idLength))];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => displayWidth(row[column] ?? ''))));
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + GAP.length, 0);
  const left = (columns ?? Number.POSITIVE_INFINITY) - before;
  if (columns !== undefined && left < -GAP.length) return items.map((item) => linesOf(item, columns, idLength)).join('\n');
  const lines = rows.map((row) => {
    const cells = row.slice(0, -1).map((cell, column) => padColumns(cell, widths[column] ?? 0));
    return [...cells, left >= NARROWEST ? fitColumns(row.at(-1) ?? '', left) : ''].join(GAP).trimEnd();
  });
  return `${lines.join('\n')}\n`;
}

const scoreOf = (item: ProjectItem): string => (item.research_count > 0 ? String(Math.round(item.quality_score)) : '–');

const rowOf = (item: ProjectItem, idLength: number | undefined): string[] =>
  [
    item.short_title,
    item.state,
    scoreOf(item),
    String(item.research_count),
    item.updated_at.slice(0, 10),
    item.project_id.slice(0, idLength),
    item.short_description,
  ].map(cleanText);

function linesOf(item: ProjectItem, columns: number, idLength: number | undefined): string {
  const [title = '', state = '', score = '', , changed = '', id = ''] = rowOf(item, idLength);
  const facts = [state, `score ${score}`, count(item.research_count, 'research', 'researches'), changed, id].join(', ');
  const about = wrapColumns(facts, columns - GAP.length).map((text) => GAP + text);
  return `${[...wrapColumns(title, columns), ...about].join('\n')}\n`;
}

/** The number of characters, at least eight, after which no two different ids begin alike. */
function lengthThatTells(ids: readonly string[]): number {
  const different = [...new Set(ids)];
  let length = SHORTEST_ID;
  while (new Set(different.map((id) => id.slice(0, length))).size < different.length) length += 1;
  return length;
}
