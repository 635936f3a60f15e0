import { quoted, type Fence } from '#platform/llm/material.ts';
import type { Interpretation } from '../analyst.ts';

/** What the later calls are told of the idea, each thing asked for under a short id. It goes back to a user's text and is fenced like all of those. */
export function ideaInBrief(about: Interpretation, fence: Fence): string {
  // What its user put right stands in these alone.
  const corrected = about.told
    ? [about.problemStatement && `Problem: ${about.problemStatement}`, about.proposedSolution && `Solution: ${about.proposedSolution}`]
    : [];
  const lines = [
    `${about.shortTitle}: ${about.normalizedIdea}`,
    about.targetUser && `For: ${about.targetUser}`,
    ...corrected,
    about.askedFor.length > 0 && `It says it will: ${about.askedFor.map(({ label }, place) => `A${place + 1} ${label}`).join('; ')}`,
    about.unasked && about.unasked.length > 0 && `It says it does without: ${about.unasked.join('; ')}`,
  ];
  return quoted('The idea', lines.flatMap((line) => (line ? [line.replace(/[.\s]+$/, '')] : [])).join('. '), fence);
}
