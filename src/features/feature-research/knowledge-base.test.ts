import { describe, expect, it } from 'vitest';
import { foundationsOf, knowledgeBase, loadTopics, Topic } from './knowledge-base.ts';

const topics = loadTopics();
const all = [...topics.values()];

describe('the knowledge library', () => {
  it('holds at least 70 topics, each in the shape of its schema and under its own file name', () => {
    expect(all.length).toBeGreaterThanOrEqual(70);
    for (const topic of all) expect(() => Topic.parse(topic), topic.id).not.toThrow();
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  });

  it('names only topics that exist as dependencies, and no circle of them', () => {
    for (const topic of all) {
      for (const { topic: below } of topic.depends_on) expect(topics.has(below), `${topic.id} needs ${below}`).toBe(true);
      for (const below of foundationsOf(topic.id, topics)) expect(foundationsOf(below, topics), `${topic.id} and ${below}`).not.toContain(topic.id);
    }
  });

  it('gives every approach an effort that is a range', () => {
    for (const { id, approaches } of all) {
      for (const {
        effort_days: [low, high],
      } of approaches)
        expect(low, id).toBeLessThan(high);
    }
  });

  it('says nothing twice: patterns, edge cases and risks belong to one topic each', () => {
    const sentences = all.flatMap(({ patterns, edge_cases: cases, risks }) => [...patterns, ...cases, ...risks.map(({ risk }) => risk)]);
    expect(new Set(sentences).size).toBe(sentences.length);
  });

  it('names a project with one address and one licence wherever it stands', () => {
    const seen = new Map<string, string>();
    for (const { name, url, license } of all.flatMap(({ open_source: projects }) => projects)) {
      expect(seen.get(name) ?? `${url} ${license}`, name).toBe(`${url} ${license}`);
      seen.set(name, `${url} ${license}`);
    }
  });

  it('is read once', () => {
    expect(knowledgeBase()).toBe(knowledgeBase());
  });
});
