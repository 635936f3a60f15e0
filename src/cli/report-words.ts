import type { ResearchArtifact } from '#features/research';

const SOURCES: Record<ResearchArtifact['quality']['sources'][number]['source'], string> = {
  catalogue: 'catalogue',
  prior_research: 'earlier research',
  web: 'web',
};

/** What each source gave: `catalogue 34, earlier research none, web off`. */
export function sourcesLine(sources: ResearchArtifact['quality']['sources']): string {
  return sources.map(({ source, status, kept }) => `${SOURCES[source]} ${status === 'ok' ? kept : status === 'empty' ? 'none' : status}`).join(', ');
}

/** `[1] [3]–[5]`: three or more in a row as a range. @param numbers in ascending order */
export function citationMarks(numbers: readonly number[]): string {
  const runs: { first: number; last: number }[] = [];
  for (const number of numbers) {
    const run = runs.at(-1);
    if (run?.last === number - 1) run.last = number;
    else runs.push({ first: number, last: number });
  }
  return runs
    .map(({ first, last }) => (last - first >= 2 ? `[${first}]–[${last}]` : first === last ? `[${first}]` : `[${first}] [${last}]`))
    .join(' ');
}
