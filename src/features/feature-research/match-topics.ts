import { knowledgeBase, type Topic } from './knowledge-base.ts';
import { openLibrary, type FeatureWords } from './library-match.ts';

export type TopicMatch = { topic: Topic; score: number };

const MOST_TOPICS = 3;
/** A further topic has to come this near to the best. */
const NEAR = 0.55;

let library: ReturnType<typeof openLibrary<Topic>> | undefined;

/** Topics that a feature comes down to, best first: the best, and those near to it that explain a word of the name which no better one explains. Empty when the library knows none. */
export function matchTopics(feature: FeatureWords): TopicMatch[] {
  library ??= openLibrary(
    [...knowledgeBase().values()].map((topic) => ({ value: topic, name: topic.name, summary: topic.summary, terms: topic.terms })),
  );
  const explained = new Set<string>();
  const chosen: TopicMatch[] = [];
  for (const { value: topic, score, words } of library(feature)) {
    const isNew = [...words].some((word) => !explained.has(word));
    if (chosen.length > 0 && (!isNew || score < (chosen[0]?.score ?? 0) * NEAR)) continue;
    chosen.push({ topic, score });
    for (const word of words) explained.add(word);
    if (chosen.length === MOST_TOPICS) break;
  }
  return chosen;
}
