import { partsFor } from './grown-graphs.ts';
import type { Script } from './scripted-model-server.ts';
import { ANALYZE_FEATURES_SYSTEM } from '../features/feature-research/prompts/analyze-features.ts';
import { COUNSEL_SYSTEM } from '../features/feature-research/prompts/counsel.ts';
import { CHILDREN_SYSTEM, ROOTS_SYSTEM } from '../features/build-graphs/model-planner/prompts.ts';
import { WRITE_SECTIONS_SYSTEM } from '../features/briefs/prompts/write-sections.ts';
import { SECTION_TYPES } from '../features/briefs/states.ts';

const evidence = ['E1'];
const node = (key: string, featureIds: string[]) => ({
  key,
  name: `Part ${key}`,
  days_low: 1,
  days_high: 4,
  acceptance_criteria: ['It works.'],
  feature_ids: featureIds,
});

/** Ids that a prompt gives as `id = label` in lines under a heading. */
const idsUnder = (prompt: string, heading: string): string[] => {
  const [, after = ''] = prompt.split(`${heading}:\n`);
  return after
    .split('\n')
    .flatMap((line, at, all) => (all.slice(0, at + 1).every((other) => other.includes(' = ')) ? [line.split(' = ')[0] ?? ''] : []));
};

/** Short good answers to what follows a research: its features, its plan, its brief. */
export const answerWhatFollows: NonNullable<Script['answer']> = ({ system, prompt }) => {
  if (system.startsWith(ANALYZE_FEATURES_SYSTEM))
    return {
      features: idsUnder(prompt, 'and what bears on it').map((id) => ({
        id,
        summary: 'It comes down to this.',
        technical_approaches: [{ name: 'Plainly', when: 'At first.', trade_offs: 'Little.', days_low: 2, days_high: 4, recommended: true, evidence }],
      })),
    };
  if (system.startsWith(COUNSEL_SYSTEM)) return { strategic_summary: 'Begin with the first.' };
  if (system.startsWith(ROOTS_SYSTEM)) return { nodes: idsUnder(prompt, 'Chosen features, each with its id').map((id, at) => node(`n${at}`, [id])) };
  if (system.startsWith(CHILDREN_SYSTEM)) return partsFor(prompt, [node('a', []), node('b', []), node('c', [])]);
  return system.startsWith(WRITE_SECTIONS_SYSTEM) ? Object.fromEntries(SECTION_TYPES.map((section) => [section, {}])) : undefined;
};
