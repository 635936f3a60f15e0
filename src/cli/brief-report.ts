import type { BriefOutline, OutlineBlock } from '#features/briefs';
import { dayOf } from '#features/report-parts';
import { CommandError } from './command.ts';
import type { WholeBrief } from './obtain-brief.ts';
import { entries, entry, line, lines, outline, remark, section, type Block, type Outline } from './outline.ts';

/** A brief as it is read. @throws CommandError when it is of a version that cannot be read */
export async function briefReport(brief: WholeBrief): Promise<Outline> {
  const { outlineBrief, SharedBrief } = await import('#features/briefs');
  const parsed = SharedBrief.omit({ type: true }).safeParse(brief);
  if (!parsed.success) throw new CommandError('The brief that the service sent is of another version and cannot be read.', { cause: parsed.error });
  return reportOf(outlineBrief(parsed.data));
}

const reportOf = ({ title, audience, qualityScore, revision, updatedAt, sections, sources }: BriefOutline): Outline =>
  outline({
    title,
    category: audience ? `Market brief for the ${audience}` : 'Market brief',
    summary: `Quality ${Math.round(qualityScore)} of 100, revision ${revision} of ${dayOf(updatedAt)}.`,
    sections: [
      ...sections.map(({ title: heading, failed, blocks }) =>
        section(heading, failed ? [lines([line('This section could not be written.')])] : blocks.map(blockOf)),
      ),
      section('Sources', [
        entries(
          null,
          sources.map(({ title: name, url, snippet }) => entry(name || 'Untitled', [line(snippet)], { url })),
          true,
        ),
      ]),
    ],
  });

/** A table becomes a list: its first column names the item, the others follow with their headings. */
function blockOf(block: OutlineBlock): Block {
  if (block.kind === 'paragraph') return lines([line(block.line.text, block.line.sources)]);
  if (block.kind === 'list')
    return entries(
      block.heading,
      block.items.map(({ text, sources }) => remark(text, sources)),
    );
  return entries(
    block.heading,
    block.rows.map(({ cells: [name = '', ...others], sources }) => {
      const told = others.flatMap((cell, index) => (cell ? [`${block.head[index + 1] ?? ''}: ${cell}`] : []));
      return entry(
        name,
        told.map((text, index) => line(text, index === told.length - 1 ? sources : [])),
      );
    }),
  );
}
