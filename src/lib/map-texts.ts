/** A value of JSON with every text in it changed, the names of properties too; the same value where nothing changes. */
export function mapTexts<T>(value: T, change: (text: string) => string): T {
  return mapped(value, change) as T;
}

function mapped(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) {
    const parts = value.map((part: unknown) => mapped(part, change));
    return parts.some((part, at) => part !== value[at]) ? parts : (value as unknown[]);
  }
  if (!isPlain(value)) return value;
  const before = Object.entries(value);
  const after = before.map(([name, part]) => [change(name), mapped(part, change)] as const);
  const isSame = after.every(([name, part], at) => before[at]?.[0] === name && before[at][1] === part);
  return isSame ? value : Object.fromEntries(after);
}

/** An object as JSON has them, and no date, buffer or wrapper that a library makes something of. */
function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
