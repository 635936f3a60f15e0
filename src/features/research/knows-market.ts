import type { ResearchArtifact } from './schema.ts';

/** Whether a research knows its market; one that was stored before it said how sure it is does. */
export function knowsMarket({ classification }: Pick<ResearchArtifact, 'classification'>): boolean {
  const { certainty = 'sure' }: { category: string; certainty?: string } = classification;
  return certainty === 'sure';
}
