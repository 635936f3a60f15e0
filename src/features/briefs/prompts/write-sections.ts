import { MATERIAL_RULES, type Fence } from '#platform/llm/material.ts';
import type { SectionContents } from '../section-content.ts';
import type { SectionType } from '../states.ts';
import type { BriefCase } from '../writer.ts';
import type { Material } from './material.ts';

export const WRITE_SECTIONS_SYSTEM = `You write sections of a market brief that a founder reads before deciding what to build, and hands to others. A research was made; you say what it means, in sentences that would be wrong in a brief on any other idea. Every sentence names a product, a feature or a number of the research, or the idea's own words. No praise, no general advice, no adjective that nothing shows.

Each sentence is one entry {text, evidence}: one or two sentences of text, and the ids of the evidence it rests on, at least one. A sentence without evidence is thrown away, and so is one that names a product, a number or a web address that does not stand in the material. Entries of lists are named by the ids that stand in the request; do not add others, do not change facts. Where nothing is worth saying, leave a list empty. What one section says the others do not repeat.

${MATERIAL_RULES}`;

const TASKS: Record<SectionType, string> = {
  market_map:
    'the market map. summary: 3 to 5 sentences on who is in this market, who comes nearest, how they charge, what nearly all have. segments: for each listed closeness one note on what its products have in common that matters for this idea.',
  incumbents:
    'the established products. For each listed product: strengths (1 to 3), weaknesses as far as this idea can use them (1 to 3), meaning: what follows from it for this idea.',
  emerging:
    'the emerging products. For each listed product: strengths (1 to 3), weaknesses as far as this idea can use them (1 to 3), meaning: what its existence tells this idea.',
  features: 'the features. For each listed feature one reason: what this idea should do about it and why, given who has it.',
  market_gaps:
    'the gaps in the market. For each listed gap: description (who comes nearest and what is missing there), caution (why it may stand open for a good reason).',
  positioning:
    'positioning. statement: one sentence with whom it is for, what it is, what sets it apart, and from whom. pillars: 2 to 4 claims the research bears out. against: one line for each listed product. objections: 2 to 4 things a sceptical buyer will say.',
  mvp_angle:
    'the angle of a first version. wedge: where to begin and why there. build_first and leave_out: one reason for each listed entry. risks: 1 to 3 that could make this angle wrong.',
};

type Framed = { section: SectionType; frame: SectionContents[SectionType] };

/** The research, then for each section its task and the entries that are to be filled. */
export function writeSectionsPrompt(framed: readonly Framed[], about: BriefCase, material: Material, fence: Fence): string {
  const reader = about.audience ? `The reader: ${about.audience}.` : 'The reader: the founder and whoever the founder sends it to.';
  const again =
    about.take > 0 ? `This section was written ${about.take} time(s) before and is wanted differently: take another angle, other examples.` : '';
  return [
    material.text,
    about.template ? fence.around('How the reader wants it written', fence.clean(about.template)) : '',
    [reader, again].filter(Boolean).join(' '),
    ...framed.map(({ section, frame }) => `${section}: ${TASKS[section]}\nEntries to fill: ${entriesOf(frame).join(', ') || 'none are listed'}.`),
    framed.length > 1 ? 'Write these sections, each under its name.' : 'Write the section.',
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** Ids of what the section already lists. */
function entriesOf(frame: unknown): string[] {
  if (Array.isArray(frame)) return frame.flatMap((entry) => idIn(entry));
  if (typeof frame !== 'object' || frame === null) return [];
  return Object.entries(frame).flatMap(([field, list]) => {
    const ids = Array.isArray(list) && field !== 'positions' ? list.flatMap(idIn) : [];
    return ids.length > 0 ? [`${field}: ${ids.join(' ')}`] : [];
  });
}

function idIn(entry: unknown): string[] {
  const { id, rival_id: rival, closeness } = (typeof entry === 'object' && entry !== null ? entry : {}) as Record<string, unknown>;
  return [id, rival, closeness].filter((value): value is string => typeof value === 'string').slice(0, 1);
}
