import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { Risk } from '../schema.ts';

const Key = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be a kebab-case slug');
const Sentence = z.string().trim().min(3).max(240);

/** A piece of work. */
const Leaf = z.strictObject({
  key: Key,
  name: Sentence,
  description: Sentence,
  /** Typical working days of one person: an easy and a hard course. */
  days: z.tuple([z.number().positive(), z.number().positive()]),
  acceptance: z.array(Sentence).min(1),
  /** Keys of earlier parts beside it that come first. */
  after: z.array(Key).default([]),
});
const Part = Leaf.extend({ children: z.array(Leaf).min(2).max(7).default([]) });
export type Part = z.output<typeof Part>;

const Pattern = z.strictObject({
  id: Key,
  name: Sentence,
  /** What it is to a product: what others stand on, what people came for, how it reaches them, money, or running it. */
  layer: z.enum(['foundation', 'product', 'reach', 'business', 'operations']),
  title: Sentence,
  summary: Sentence,
  /** Words by which features ask for it. */
  terms: z.array(z.string().min(2)).min(1),
  /** Words in an idea that make it necessary whatever the features are. */
  mentioned: z.array(z.string().min(2)).default([]),
  needs: z.array(z.strictObject({ pattern: Key, reason: Sentence })),
  risk: z.strictObject({ level: Risk, reasons: z.array(Sentence).min(1), mitigations: z.array(Sentence).min(1) }),
  acceptance: z.array(Sentence).min(1),
  /** Working days that go by before it is done and are no work, and what is waited for. */
  waiting: z.strictObject({ days: z.tuple([z.number().positive(), z.number().positive()]), for: Sentence }).optional(),
  children: z.array(Part).min(3).max(7),
});
export type Pattern = z.output<typeof Pattern>;

const FOLDER = join(import.meta.dirname, '../patterns');
let read: ReadonlyMap<string, Pattern> | undefined;

/** The library of build patterns by id, read once. @throws ZodError for a pattern of the wrong shape */
export function openPatterns(): ReadonlyMap<string, Pattern> {
  read ??= new Map(
    readdirSync(FOLDER)
      .filter((name) => name.endsWith('.json'))
      .sort()
      .flatMap((name) => z.array(Pattern).parse(JSON.parse(readFileSync(join(FOLDER, name), 'utf8'))))
      .map((pattern) => [pattern.id, pattern]),
  );
  return read;
}

/** A part by its path (`conflicts/merge`); undefined when the library no longer has it. */
export function findPart(pattern: string, path: string): Part | undefined {
  const [first, second] = path.split('/');
  const part = openPatterns()
    .get(pattern)
    ?.children.find(({ key }) => key === first);
  if (!second) return part;
  const leaf = part?.children.find(({ key }) => key === second);
  return leaf ? { ...leaf, children: [] } : undefined;
}
