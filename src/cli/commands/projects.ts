import { cleanText } from '../clean-text.ts';
import { noPositionals, parseOptions, type Command } from '../command.ts';
import { connect } from '../connect.ts';
import { fitColumns, padColumns, displayWidth } from '../display-width.ts';
import { listProjects, type ProjectItem } from '../find-project.ts';

const HELP = `Lists your projects, the most recently changed first.

Usage: groundwork projects [options]

Options:
  --url URL   the service to ask (standard: GROUNDWORK_URL, else the one on the data folder, else one for this command)
  -h, --help  this text
`;

const GAP = '  ';
/** Columns below which a description says nothing any more. */
const NARROWEST = 12;
const HEADINGS = ['Project', 'State', 'Score', 'Research', 'Changed', 'Id', 'What it is'] as const;

export const projects: Command = {
  summary: 'lists your projects',
  help: HELP,
  run: async (args, run) => {
    const { values, positionals } = parseOptions('projects', args, { url: { type: 'string' } });
    noPositionals('projects', positionals);
    const connected = await connect(values.url, run);
    try {
      const rows = (await listProjects(connected.client, run.signal)).map(rowOf);
      process.stdout.write(
        rows.length > 0
          ? table([[...HEADINGS], ...rows])
          : `No projects at ${connected.embedded ? 'this installation' : connected.client.url} yet.\n`,
      );
      return 0;
    } finally {
      await connected.stop();
    }
  },
};

const rowOf = (item: ProjectItem): string[] =>
  [
    item.short_title,
    item.state,
    item.research_count > 0 ? String(Math.round(item.quality_score)) : '–',
    String(item.research_count),
    item.updated_at.slice(0, 10),
    item.project_id,
    item.short_description,
  ].map(cleanText);

/** Columns as wide as their widest cell; on a terminal the last one is cut to what is left of its width. */
function table(rows: readonly string[][]): string {
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => displayWidth(row[column] ?? ''))));
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + GAP.length, 0);
  const left = process.stdout.isTTY ? (process.stdout.columns || 80) - before : Number.POSITIVE_INFINITY;
  const lines = rows.map((row) => {
    const cells = row.slice(0, -1).map((cell, column) => padColumns(cell, widths[column] ?? 0));
    return [...cells, left >= NARROWEST ? fitColumns(row.at(-1) ?? '', left) : ''].join(GAP).trimEnd();
  });
  return `${lines.join('\n')}\n`;
}
