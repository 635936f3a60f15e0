import { describe, expect, it } from 'vitest';
import type { Scoped } from '../analyst.ts';
import { matchTopics } from '../match-topics.ts';
import { analyzeFeature } from '../rule-analyst/analyze-feature.ts';
import { groundworkOf, UNKNOWN_DAYS } from './groundwork.ts';

const scoped = (id: string, name: string): Scoped => ({
  id,
  name,
  canonical: null,
  topics: matchTopics({ name }).map(({ topic }) => ({ id: topic.id, name: topic.name })),
  competitors: [],
  source_ids: [],
  description: '',
  marketId: null,
  holders: 0,
  rivalsKnown: 0,
  companyIds: [],
});

const planOf = (...names: string[]) => {
  const features = names.map((name, place) => scoped(`f${place}`, name));
  const analyses = features.map((feature) => analyzeFeature({ idea: '', feature, sources: [] }));
  return groundworkOf(features, analyses, []);
};
const idsOf = (...names: string[]): string[] => planOf(...names).parts.map(({ id }) => id);

describe('groundworkOf', () => {
  it('adds what a feature stands on, once, with the edge and its reason', () => {
    const { parts, edges } = planOf('Receipt scanning', 'Due date reminders');
    expect(parts.filter(({ id }) => id === 'foundation:background-jobs')).toHaveLength(1);
    expect(edges).toContainEqual(
      expect.objectContaining({ from: 'foundation:background-jobs', to: 'feature:f0', reason: expect.stringMatching(/./) }),
    );
  });

  it('takes a selected feature for the foundation that it is', () => {
    const ids = idsOf('Due date reminders', 'In-app notifications');
    expect(ids).not.toContain('foundation:notifications');
    expect(planOf('Due date reminders', 'In-app notifications').edges).toContainEqual(
      expect.objectContaining({ from: 'feature:f1', to: 'feature:f0' }),
    );
  });

  it('lets a feature carry a topic that it touches and others need', () => {
    expect(idsOf('Online booking')).toContain('foundation:reminders');
    expect(idsOf('Online booking', 'Text message reminders')).not.toContain('foundation:reminders');
  });

  it('counts the second feature of a topic with half of the work', () => {
    const { parts } = planOf('Receipt scanning', 'Document scanning');
    const days = (id: string): number => parts.find((part) => part.id === id)?.days ?? 0;
    expect(days('feature:f1')).toBeLessThan(days('feature:f0'));
  });

  it('keeps a placeholder for what nothing is known of, and never a day count outside its own range', () => {
    const { parts } = planOf('Fertile window', 'Receipt scanning', 'Works offline', 'Two-way calendar sync');
    expect(parts.find(({ id }) => id === 'feature:f0')?.days_range).toEqual(UNKNOWN_DAYS);
    for (const { days, days_range: range } of parts) {
      expect(days).toBeGreaterThanOrEqual(range.low);
      expect(days).toBeLessThanOrEqual(range.high);
    }
  });
});
