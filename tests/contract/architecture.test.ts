import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);

/** Which feature may use which, as the diagram of ARCHITECTURE.md draws it. */
function drawn(): Record<string, string[]> {
  const text = readFileSync(new URL('ARCHITECTURE.md', root), 'utf8');
  const lines = /```mermaid\ngraph LR\n([\s\S]*?)```/.exec(text)?.[1]?.trim().split('\n') ?? [];
  return Object.fromEntries(
    lines.map((line) => {
      const [feature = '', uses] = line.trim().split(' --> ');
      return [feature, (uses?.split(' & ') ?? []).sort()];
    }),
  );
}

describe('the map in ARCHITECTURE.md', () => {
  it('is the one that the import rules enforce', async () => {
    const { MAY_USE } = (await import(new URL('.dependency-cruiser.mjs', root).href)) as { MAY_USE: Record<string, string[]> };
    const pictured = drawn();
    for (const [feature, uses] of Object.entries(MAY_USE)) {
      if (uses.length > 0) expect(pictured[feature], feature).toEqual([...uses].sort());
    }
    expect(Object.keys(pictured).filter((feature) => !(feature in MAY_USE))).toEqual([]);
  });
});
