import { count } from '#lib/text.ts';
import type { EvidenceSource } from '../analyst.ts';
import { foundationsOf, knowledgeBase, type Topic } from '../knowledge-base.ts';
import { topicSourceId, topicUrl, urlSourceId } from '../source-ids.ts';
import type { Source } from './source.ts';

/** What the library says of a topic was written and checked by people, not looked up now. */
const WRITTEN = 0.8;
const NAMED = 0.7;

/** The library that ships with the product: the topics of each feature, what they stand on, and the projects they name. */
export const lookUpKnowledge: Source = {
  name: 'knowledge',
  seconds: 5,
  search: async ({ job }, { features }) => {
    const library = knowledgeBase();
    const found = features.map(({ id, topics }) => {
      const own = topics.flatMap((topic) => library.get(topic.id) ?? []);
      const below = own.flatMap((topic) => foundationsOf(topic.id)).flatMap((topic) => library.get(topic) ?? []);
      const sources = [
        ...own.flatMap((topic) => [topicSource(job.id, topic), ...projectSources(job.id, topic)]),
        ...below.map((topic) => topicSource(job.id, topic)),
      ];
      return { featureId: id, sources };
    });
    return { found, warning: null };
  },
};

const topicSource = (jobId: string, topic: Topic): EvidenceSource => ({
  id: topicSourceId(jobId, topic.id),
  url: topicUrl(topic.id),
  kind: 'knowledge',
  title: `${topic.name} (engineering knowledge)`,
  snippet: topic.summary,
  confidence: WRITTEN,
  text: [
    topic.summary,
    ...topic.approaches.map(
      ({ name, when, trade_offs: trade, effort_days: [low, high] }) => `Approach ${name} (${low} to ${high} days): ${when} ${trade}`,
    ),
    ...topic.patterns.map((text) => `Pattern: ${text}`),
    ...topic.edge_cases.map((text) => `Edge case: ${text}`),
    ...topic.risks.map(({ risk, likelihood, impact, mitigation }) => `Risk (likelihood ${likelihood}, impact ${impact}): ${risk} ${mitigation}`),
    ...(topic.open_source.length > 0
      ? [`Names ${count(topic.open_source.length, 'open-source project')}: ${topic.open_source.map(({ name }) => name).join(', ')}.`]
      : []),
  ].join('\n'),
  topicId: topic.id,
  companyId: null,
});

const projectSources = (jobId: string, topic: Topic): EvidenceSource[] =>
  topic.open_source.map(({ name, url, license, use_for: use }) => ({
    id: urlSourceId(jobId, url),
    url,
    kind: 'open_source',
    title: name,
    snippet: `${use} Licence: ${license}.`,
    confidence: NAMED,
    text: `${name}: ${use} Licence: ${license}. Belongs to the topic ${topic.name}.`,
    topicId: topic.id,
    companyId: null,
  }));
