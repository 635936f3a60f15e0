import type { SectionChange } from './schema.ts';
import type { SectionContent } from './section-content.ts';
import type { Sections } from './section-store.ts';
import { SECTION_TYPES } from './states.ts';

/** What differs between two states of a brief's sections, in the order of reading. */
export function compareSections(before: Sections, after: Sections): SectionChange[] {
  return SECTION_TYPES.flatMap((section): SectionChange[] => {
    const [old, now] = [before[section], after[section]];
    if (old === undefined && now === undefined) return [];
    const details = detailsOf(old, now);
    if (old === undefined) return [{ section_type: section, change: 'added', details }];
    if (now === undefined) return [{ section_type: section, change: 'removed', details }];
    return isSame(details) ? [] : [{ section_type: section, change: 'modified', details }];
  });
}

function detailsOf(old: SectionContent | undefined, now: SectionContent | undefined): SectionChange['details'] {
  const [before, after] = [itemsOf(old), itemsOf(now)];
  const labels = (keys: Iterable<string>, items: Items): string[] => [...keys].map((key) => items.get(key)?.label ?? key);
  const changed = [...after].filter(([key, item]) => before.has(key) && before.get(key)?.json !== item.json).map(([key]) => key);
  const [had, has] = [wordCounts(old), wordCounts(now)];
  return {
    items_added: labels(
      [...after.keys()].filter((key) => !before.has(key)),
      after,
    ),
    items_removed: labels(
      [...before.keys()].filter((key) => !after.has(key)),
      before,
    ),
    items_changed: labels(changed, after),
    words_added: surplus(has, had),
    words_removed: surplus(had, has),
  };
}

/** The same entries in another order are no change. */
const isSame = (details: SectionChange['details']): boolean =>
  Object.values(details).every((value) => (Array.isArray(value) ? value.length === 0 : value === 0));

type Items = Map<string, { label: string; json: string }>;

/** The entries of a section: rivals, features and gaps by their id, statements by their text, single fields by their name. */
function itemsOf(content: SectionContent | undefined): Items {
  const items: Items = new Map();
  if (content === undefined) return items;
  const add = (place: string, value: unknown): void => {
    const label = labelOf(value) || place;
    items.set(`${place} ${keyOf(value)}`, { label, json: canonical(value) });
  };
  if (Array.isArray(content)) for (const entry of content) add('', entry);
  else {
    for (const [field, value] of Object.entries(content) as [string, unknown][]) {
      if (Array.isArray(value)) for (const entry of value) add(field, entry);
      else if (value !== null) items.set(field, { label: field, json: canonical(value) });
    }
  }
  return items;
}

const fieldOf = (value: unknown, ...names: string[]): string => {
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? value : '';
  const fields = value as Record<string, unknown>;
  const name = names.find((candidate) => typeof fields[candidate] === 'string');
  return name === undefined ? '' : String(fields[name]);
};

const keyOf = (value: unknown): string => fieldOf(value, 'id', 'rival_id', 'closeness', 'text') || canonical(value);
const labelOf = (value: unknown): string => fieldOf(value, 'name', 'label', 'title', 'text');

/** The same text for the same content, whatever the order of its fields. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([left], [right]) => left.localeCompare(right)))
      : inner,
  );
}

const NO_WORDS = new Set(['id', 'rival_id', 'url', 'evidence_ids', 'feature_ids', 'closeness', 'priority', 'tier']);

/** How often each word stands in what a reader sees. */
function wordCounts(content: SectionContent | undefined): Map<string, number> {
  const counts = new Map<string, number>();
  const visit = (value: unknown): void => {
    if (typeof value === 'string')
      for (const word of value.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1);
    else if (Array.isArray(value)) value.forEach(visit);
    else if (typeof value === 'object' && value !== null) for (const [key, inner] of Object.entries(value)) if (!NO_WORDS.has(key)) visit(inner);
  };
  visit(content);
  return counts;
}

const surplus = (counts: Map<string, number>, others: Map<string, number>): number =>
  [...counts].reduce((sum, [word, count]) => sum + Math.max(0, count - (others.get(word) ?? 0)), 0);
