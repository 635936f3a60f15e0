import { shorten } from '#lib/text.ts';
import { openFence, shortIds } from '#platform/llm/material.ts';
import type { Finding } from '../analyst.ts';

/** Findings as a model is shown them: under short ids, between delimiters that no finding can know. */
export type Material = {
  text: string;
  /** The finding's id for a short one; an id that was never given out comes back as it is, and counts as invented later. */
  idOf(short: string): string;
  shortOf(id: string): string;
};

const KINDS: Record<Finding['kind'], string> = {
  canonical_company: 'known company',
  canonical_feature: 'known feature of the market',
  web: 'web page',
};

/** One line of text per finding, at most `textLength` characters of each. */
export function materialOf(findings: readonly Finding[], textLength: number): Material {
  const fence = openFence();
  const ids = shortIds(findings.map(({ id }) => id));
  const lines = findings.map((finding) => {
    const about = [ids.shortOf(finding.id), KINDS[finding.kind], finding.url ?? 'no address', ...marksOf(finding)].join(' | ');
    return `${fence.clean(about)}\nTitle: ${fence.clean(finding.title)}\nText: ${shorten(fence.clean(finding.text), textLength)}`;
  });
  return {
    text: fence.around('The material that was found', lines.join('\n\n')),
    idOf: (short) => ids.idOf(short) ?? short,
    shortOf: (id) => ids.shortOf(id) ?? id,
  };
}

function marksOf({ facts }: Finding): string[] {
  if (facts?.kind === 'company') return [facts.standing, `feature ids: ${facts.featureIds.join(', ')}`];
  if (facts?.kind === 'feature') return [`feature id: ${facts.featureId}`];
  return [];
}
