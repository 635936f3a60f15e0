import { describe, expect, it } from 'vitest';
import { stem, tokenize } from '#features/catalogue';
import { openPatterns, type Part } from './patterns.ts';

const patterns = [...openPatterns().values()];
const everyPart = (parts: readonly Part[]): { key: string; name: string; description: string; acceptance: string[]; days: [number, number] }[] =>
  parts.flatMap((part) => [part, ...part.children]);

describe('the pattern library', () => {
  it('holds at least 70 patterns with ids of their own', () => {
    expect(patterns.length).toBeGreaterThanOrEqual(70);
    expect(new Set(patterns.map(({ id }) => id)).size).toBe(patterns.length);
  });

  it('names only patterns that exist in what a pattern needs, and never in a circle', () => {
    const visit = (id: string, above: readonly string[]): void => {
      expect(above, `${[...above, id].join(' needs ')}`).not.toContain(id);
      const pattern = openPatterns().get(id);
      expect(pattern, id).toBeDefined();
      for (const need of pattern?.needs ?? []) visit(need.pattern, [...above, id]);
    };
    for (const { id } of patterns) visit(id, []);
  });

  it('gives each pattern three to seven parts with unique keys that follow earlier ones', () => {
    for (const { id, children } of patterns) {
      const seen = new Set<string>();
      for (const part of children) {
        for (const key of part.after) expect(seen.has(key), `${id}: ${part.key} comes after ${key}`).toBe(true);
        expect(seen.has(part.key), `${id}/${part.key}`).toBe(false);
        seen.add(part.key);
      }
    }
  });

  it('estimates every part from an easy to a hard course', () => {
    for (const { id, children } of patterns) {
      for (const { key, days } of everyPart(children)) expect(days[0], `${id}/${key}`).toBeLessThanOrEqual(days[1]);
    }
  });

  it('says what it says in words that stand for themselves', () => {
    const texts = patterns.flatMap((pattern) => [
      ...everyPart(pattern.children).flatMap(({ name, description, acceptance }) => [name, description, ...acceptance]),
      pattern.title,
      pattern.summary,
      ...pattern.acceptance,
      ...pattern.risk.reasons,
      ...pattern.risk.mitigations,
      ...pattern.needs.map(({ reason }) => reason),
    ]);
    for (const text of texts) expect(text).not.toMatch(/[{}]|\b(\w+) \1\b/i);
  });

  it('asks for a pattern by a term of its own', () => {
    const owners = new Map<string, string>();
    for (const { id, terms } of patterns) {
      for (const text of terms) {
        const term = tokenize(text)
          .map(({ word }) => stem(word))
          .join(' ');
        if (owners.get(term) === id) continue;
        expect(owners.get(term), `"${term}" asks for ${id} and for ${owners.get(term)}`).toBeUndefined();
        owners.set(term, id);
      }
    }
  });
});
