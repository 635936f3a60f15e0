/** Keeps the last results by key; the one longest unused goes first. */
export function lru<T>(most: number): (key: string, work: () => T) => T {
  const kept = new Map<string, { value: T }>();
  return (key, work) => {
    const entry = kept.get(key) ?? { value: work() };
    kept.delete(key);
    kept.set(key, entry);
    const [oldest] = kept.keys();
    if (kept.size > most && oldest !== undefined) kept.delete(oldest);
    return entry.value;
  };
}

/** The same with a memory of its own for each owner. */
export function lruPer<T>(most: number): (owner: object) => (key: string, work: () => T) => T {
  const memories = new WeakMap<object, (key: string, work: () => T) => T>();
  return (owner) => {
    const memory = memories.get(owner) ?? lru<T>(most);
    memories.set(owner, memory);
    return memory;
  };
}
