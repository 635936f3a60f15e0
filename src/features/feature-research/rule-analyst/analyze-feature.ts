import { significantTerms } from '#features/catalogue';
import type { EvidenceSource, FeatureCase } from '../analyst.ts';
import { knowledgeBase, type Topic, type TopicApproach } from '../knowledge-base.ts';
import type { Approach, FeatureAnalysis } from '../schema.ts';
import { implementationsOf } from './holders.ts';

const SEVERAL = 2;

/** Of a topic that a feature touches besides its main one, this much is told. */
const ASIDE = { approaches: 1, patterns: 1, edgeCases: 2, risks: 1, projects: 2 };

/** What the evidence and the library tell of one feature. Without a topic the analysis stays thin and says so. */
export function analyzeFeature(about: FeatureCase): FeatureAnalysis {
  const { feature, sources } = about;
  const library = knowledgeBase();
  const [main, ...others] = feature.topics.flatMap(({ id }) => library.get(id) ?? []);
  const topics = main ? [main, ...others] : [];
  const cite = (topic: Topic): string[] => sources.filter(({ kind, topicId }) => kind === 'knowledge' && topicId === topic.id).map(({ id }) => id);
  const told = <T>(topic: Topic, items: readonly T[], aside: number): readonly T[] => (topic === main ? items : items.slice(0, aside));
  return {
    feature_id: feature.id,
    feature_name: feature.name,
    depth: main ? 'full' : 'thin',
    summary: summaryOf(about, main),
    implementations: implementationsOf(about),
    common_patterns: topics.flatMap((topic) => told(topic, topic.patterns, ASIDE.patterns).map((text) => ({ text, source_ids: cite(topic) }))),
    technical_approaches: main ? [...mainApproaches(about, main, cite(main)), ...others.flatMap((topic) => asideApproaches(topic, cite(topic)))] : [],
    edge_cases: topics.flatMap((topic) => told(topic, topic.edge_cases, ASIDE.edgeCases).map((text) => ({ text, source_ids: cite(topic) }))),
    oss_landscape: projectsOf(topics, main, sources),
    risks: topics.flatMap((topic) => told(topic, topic.risks, ASIDE.risks).map((risk) => ({ ...risk, source_ids: cite(topic) }))),
    depends_on: main ? main.depends_on.map(({ topic, reason }) => ({ topic_id: topic, reason, source_ids: cite(main) })) : [],
    analyst: 'rule',
  };
}

function summaryOf({ feature: { canonical, holders, rivalsKnown } }: FeatureCase, main: Topic | undefined): string {
  const spread =
    rivalsKnown > 0 ? `${holders} of ${rivalsKnown} known products${canonical ? ` of ${canonical.market}` : ''} are recorded with it.` : '';
  return [main?.summary ?? 'Nothing known tells how it is built: it is to be estimated.', spread].filter(Boolean).join(' ');
}

function mainApproaches(about: FeatureCase, topic: Topic, sourceIds: string[]): Approach[] {
  const fitting = fittingApproach(about, topic);
  return topic.approaches.map((approach) => ({ ...presentApproach(approach, sourceIds), recommended: approach === fitting }));
}

const asideApproaches = (topic: Topic, sourceIds: string[]): Approach[] =>
  topic.approaches
    .slice(0, ASIDE.approaches)
    .map((approach) => ({ ...presentApproach(approach, sourceIds), name: `${topic.name}: ${approach.name}` }));

const presentApproach = ({ name, when, trade_offs, effort_days: [low, high] }: TopicApproach, sourceIds: string[]): Approach => ({
  name,
  when,
  trade_offs,
  effort_days: { low, high },
  recommended: false,
  source_ids: sourceIds,
});

/** The approach that the feature and the idea speak for; the first one, which suits a first release, when neither does. */
function fittingApproach({ idea, feature }: FeatureCase, topic: Topic): TopicApproach | undefined {
  const named = new Set(significantTerms(`${feature.name} ${feature.description}`));
  const told = new Set(significantTerms(idea));
  const count = (signals: readonly string[], words: ReadonlySet<string>): number =>
    signals.map(significantTerms).filter((terms) => terms.length > 0 && terms.every((term) => words.has(term))).length;
  // One word of the whole idea may be about anything.
  const fit = ({ signals = [] }: Partial<TopicApproach>): number => {
    const said = count(signals, told);
    return 2 * count(signals, named) + (said >= SEVERAL ? said : 0);
  };
  return [...topic.approaches].sort((left, right) => fit(right) - fit(left))[0];
}

function projectsOf(topics: readonly Topic[], main: Topic | undefined, sources: readonly EvidenceSource[]) {
  const seen = new Set<string>();
  return topics
    .flatMap((topic) => (topic === main ? topic.open_source : topic.open_source.slice(0, ASIDE.projects)))
    .filter(({ url }) => !seen.has(url) && seen.add(url))
    .map(({ name, url, license, use_for }) => ({
      name,
      url,
      license,
      use_for,
      source_ids: sources.filter((source) => source.url === url).map(({ id }) => id),
    }));
}
