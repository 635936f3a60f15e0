import type { graphPaper } from '../../src/features/exports/graph-paper.ts';

/** A plan for printing: a main part for every twenty nodes, each after the one before it. */
export function samplePlan(amount: number): Parameters<typeof graphPaper>[0] {
  const days = { low: 1, high: 3 };
  const list = Array.from({ length: amount }, (_, index) => {
    const [root, child] = [Math.floor(index / 20), index % 20];
    return {
      depth: child === 0 ? 0 : 1,
      number: child === 0 ? `${root + 1}` : `${root + 1}.${child}`,
      title: `Part ${index} that somebody builds`,
      summary: 'What it does, for whom, and what it leaves to the others, in about as many words as a plan has.',
      risk: index % 9 === 0 ? ('red' as const) : ('green' as const),
      effort: 'small' as const,
      days,
      acceptance: ['It works on a phone', 'It says what went wrong'],
    };
  });
  const roots = list.filter(({ depth }) => depth === 0);
  return {
    title: 'A large plan',
    idea: 'Something with very many parts',
    status: 'ready',
    features: [],
    buildOrderRationale: 'One after the other.',
    nodes: list,
    dependencies: roots.slice(1).map(({ title }, index) => ({ node: title, needs: roots[index]?.title ?? '', reason: 'it comes before' })),
    criticalPath: roots.map(({ title, number }) => ({ node_id: number, node_key: number, name: title, days })),
    lanes: [],
    totals: { ...days, critical_path: days },
    sources: [],
  };
}
