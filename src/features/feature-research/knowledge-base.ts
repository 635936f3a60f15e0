import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const Slug = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be a kebab-case slug');
const Sentence = z.string().trim().min(15).max(420);
const Grade = z.int().min(1).max(5);

/** One engineering topic that product features come down to: one file in `knowledge/<id>.json`. */
export const Topic = z.strictObject({
  id: Slug,
  name: z.string().min(3).max(60),
  /** Words and short phrases by which features ask for it. */
  terms: z.array(z.string().min(2).max(60)).min(5).max(40),
  summary: Sentence,
  approaches: z
    .array(
      z.strictObject({
        name: z.string().min(4).max(90),
        /** The situation it fits. */
        when: Sentence,
        trade_offs: Sentence,
        /** Working days of one experienced developer, low and high, to something that can be released. */
        effort_days: z.tuple([z.number().min(0.5), z.number().max(200)]),
        /** Words in a feature or an idea that speak for this approach. */
        signals: z.array(z.string()).default([]),
      }),
    )
    .min(2)
    .max(5),
  patterns: z.array(Sentence).min(2),
  edge_cases: z.array(Sentence).min(3),
  open_source: z.array(
    z.strictObject({
      name: z.string().min(2),
      url: z.url({ protocol: /^https$/ }),
      license: z.string().min(3),
      use_for: z.string().min(10).max(200),
    }),
  ),
  risks: z.array(z.strictObject({ risk: Sentence, likelihood: Grade, impact: Grade, mitigation: Sentence })).min(1),
  /** Topics without which it cannot be built, and why. */
  depends_on: z.array(z.strictObject({ topic: Slug, reason: Sentence })),
});
export type Topic = z.output<typeof Topic>;
export type TopicApproach = Topic['approaches'][number];

const FOLDER = join(import.meta.dirname, 'knowledge');

/** Every topic by its id, sorted. The files are trusted: the tests hold them to the schema. */
export function loadTopics(folder: string = FOLDER): ReadonlyMap<string, Topic> {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort();
  return new Map(files.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Topic).map((topic) => [topic.id, topic]));
}

let loaded: ReadonlyMap<string, Topic> | undefined;

/** The library of engineering knowledge, read on the first call. */
export function knowledgeBase(): ReadonlyMap<string, Topic> {
  loaded ??= loadTopics();
  return loaded;
}

/** What a topic stands on, directly or through others, nearest first; itself excluded. */
export function foundationsOf(id: string, topics: ReadonlyMap<string, Topic> = knowledgeBase()): string[] {
  const found = new Set<string>();
  const queue = [id];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    for (const { topic } of topics.get(next)?.depends_on ?? []) {
      if (topic === id || found.has(topic)) continue;
      found.add(topic);
      queue.push(topic);
    }
  }
  return [...found];
}
