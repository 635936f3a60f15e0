import type { Interpretation } from '../analyst.ts';
import { quoted } from '#platform/llm/material.ts';

/** What the later calls are told of the idea. It goes back to a user's text and is fenced like all of those. */
export function ideaInBrief(about: Interpretation): string {
  const lines = [
    `${about.shortTitle}: ${about.normalizedIdea}`,
    about.targetUser && `For: ${about.targetUser}`,
    about.problemStatement && `Problem: ${about.problemStatement}`,
    about.proposedSolution && `Solution: ${about.proposedSolution}`,
    about.category && `Market: ${about.category}`,
    about.askedFor.length > 0 &&
      `It says it will: ${about.askedFor.map(({ label, featureId }) => (featureId ? `${label} [${featureId}]` : label)).join('; ')}`,
  ];
  return quoted('The idea', lines.filter(Boolean).join('. '));
}
