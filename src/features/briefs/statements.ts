import type { Cited, SectionContent } from './section-content.ts';

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

const isCited = (value: unknown): value is Cited => isObject(value) && typeof value['text'] === 'string' && Array.isArray(value['evidence_ids']);

/** Every statement of a section, wherever it stands. */
export function statementsIn(content: unknown): Cited[] {
  if (isCited(content)) return [content];
  if (Array.isArray(content)) return content.flatMap(statementsIn);
  return isObject(content) ? Object.values(content).flatMap(statementsIn) : [];
}

/** Ids of all evidence that a section cites, in the order of reading. */
export function citedIn(content: SectionContent): string[] {
  const ids = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const entry of value) visit(entry);
    if (!isObject(value)) return;
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'evidence_ids') for (const id of inner as string[]) ids.add(id);
      else visit(inner);
    }
  };
  visit(content);
  return [...ids];
}

/**
 * A section with each of its statements changed or dropped; a single place whose statement goes is null. Ids cited by
 * entries that are no statements are passed through `cite`.
 */
export function mapStatements<T extends SectionContent | Cited[]>(
  content: T,
  change: { statement(cited: Cited): Cited | null; cite(ids: readonly string[]): string[] },
): T {
  const visit = (value: unknown): unknown => {
    if (isCited(value)) return change.statement(value);
    if (Array.isArray(value))
      return value.map((entry) => (isCited(entry) ? change.statement(entry) : visit(entry))).filter((entry) => entry !== null);
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, key === 'evidence_ids' ? change.cite(inner as string[]) : visit(inner)]),
    );
  };
  return visit(content) as T;
}
