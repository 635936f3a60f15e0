import { ANALYZE_TASK, type AnalyzeAnswer } from '../features/research/prompts/analyze.ts';
import { CHOOSE_MARKETS_TASK, type ChooseMarketsAnswer } from '../features/research/prompts/choose-markets.ts';
import { INTERPRET_TASK, type InterpretAnswer } from '../features/research/prompts/interpret.ts';
import { JUDGE_TASK, type JudgeAnswer } from '../features/research/prompts/judge.ts';
import { REMIX_SYSTEM, type RemixAnswer } from '../features/research/prompts/remix.ts';
import { SYNTHESIZE_TASK, type SynthesizeAnswer } from '../features/research/prompts/synthesize.ts';

/** What a scripted model makes up, so that a test can look for it: every string here must be gone from a report. */
export type Inventions = { urls: string[]; names: string[]; ids: string[] };

export type Liar = { share: number; told: Inventions; random: () => number };

const TASKS = new Map([
  [INTERPRET_TASK, 'interpret'],
  [CHOOSE_MARKETS_TASK, 'choose-markets'],
  [JUDGE_TASK, 'judge'],
  [ANALYZE_TASK, 'analyze'],
  [SYNTHESIZE_TASK, 'synthesize'],
]);

/** The name of the call a request belongs to; `other` for those that are not the research's own. */
export function callNameOf(system: string, prompt: string): string {
  if (system.startsWith(REMIX_SYSTEM)) return 'remix';
  for (const [task, name] of TASKS) if (prompt.includes(task)) return name;
  return 'other';
}

/** A pseudo-random sequence that is the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** An answer in the schema of one of the research's prompts, made from what the prompt shows. */
export function answerFromPrompt(name: string, prompt: string, liar: Liar): unknown {
  if (name === 'interpret') return interpretation(prompt);
  if (name === 'choose-markets') return chosen(prompt);
  if (name === 'judge') return { off_topic: [] } satisfies JudgeAnswer;
  if (name === 'analyze') return analysis(prompt, liar);
  if (name === 'synthesize') return synthesis(prompt, liar);
  if (name === 'remix') return remix(prompt);
  return {};
}

type Entry = { id: string; kind: string; url: string; title: string; text: string };

/** The companies and pages that stand in a prompt. */
export const entriesIn = (prompt: string): Entry[] => [
  ...Array.from(prompt.matchAll(/^(E\d+) \| known company \| (\S+) \|.* \| ([^|\n]+?): (.*)$/gm), ([, id = '', url = '', title = '', text = '']) => ({
    id,
    kind: 'known company',
    url: `https://${url}`,
    title,
    text,
  })),
  ...Array.from(
    prompt.matchAll(/^(E\d+) \| web page \| (\S+|no address)[^\n]*\nTitle: (.*)\nText: (.*)$/gm),
    ([, id = '', url = '', title = '', text = '']) => ({ id, kind: 'web page', url, title, text }),
  ),
];

const materialIn = (prompt: string): string => /^BEGIN (\S+)\n([\s\S]*?)\nEND \1$/m.exec(prompt)?.[2] ?? '';

const firstWords = (text: string, count: number): string => text.split(/\s+/).slice(0, count).join(' ');

function interpretation(prompt: string): InterpretAnswer {
  const idea = materialIn(prompt);
  return {
    contentless: idea.split(/\s+/).length < 3,
    language: 'en',
    normalized_idea: idea,
    product_name: null,
    short_title: firstWords(idea, 3),
    one_line_summary: firstWords(idea, 20),
    target_user: 'people with this problem',
    problem_statement: firstWords(idea, 12),
    proposed_solution: idea,
    category: firstWords(idea, 4),
    subcategory: '',
    market_type: 'b2c',
    clarity: { user: 0.6, problem: 0.6, solution: 0.8 },
    asked_for: [firstWords(idea, 4)],
    not_asked_for: [],
    place: null,
    price: null,
    queries: [firstWords(idea, 8), `${firstWords(idea, 5)} alternatives`],
    known_products: [],
  };
}

/** The market whose line has the most words of the idea. */
function chosen(prompt: string): ChooseMarketsAnswer {
  const words = new Set(
    materialIn(prompt)
      .toLowerCase()
      .match(/\p{L}{4,}/gu),
  );
  const shared = (line: string): number =>
    new Set(
      line
        .toLowerCase()
        .match(/\p{L}{4,}/gu)
        ?.filter((word) => words.has(word)),
    ).size;
  const lines = (prompt.match(/^M\d+ .*$/gm) ?? []).toSorted((left, right) => shared(right) - shared(left));
  const market = /^M\d+/.exec(lines[0] ?? '')?.[0];
  return {
    markets: market ? [market] : [],
    certainty: 'sure',
    confidence: 0.8,
    same_features: market ? [{ asked_for: 'A1', feature: `${market}.1` }] : [],
  };
}

const lie = (liar: Liar): boolean => liar.random() < liar.share;

function invent(kind: keyof Inventions, liar: Liar): string {
  const list = liar.told[kind];
  const number = list.length + 1;
  const made = {
    urls: `https://www.zentrova${number}.com/app`,
    names: `Zentrova${'abcdefghij'[number % 10]}${number} Quovex`,
    ids: `E${9000 + number}`,
  }[kind];
  list.push(made);
  return made;
}

function analysis(prompt: string, liar: Liar): AnalyzeAnswer {
  const entries = entriesIn(prompt);
  const named = entries.filter(({ kind }) => kind === 'known company' || kind === 'web page');
  return {
    competitors: named.map((entry) => {
      const isKnown = entry.kind === 'known company';
      const name = isKnown ? entry.title : (entry.title.split(/ [-–|:] /)[0] ?? entry.title);
      return {
        name: lie(liar) ? invent('names', liar) : name,
        description: firstWords(entry.text, 18),
        url: lie(liar) ? invent('urls', liar) : entry.url === 'no address' ? null : entry.url,
        established: isKnown,
        founded: null,
        pricing: null,
        funding: null,
        features: [],
        evidence: lie(liar) ? [entry.id, invent('ids', liar)] : [entry.id],
      };
    }),
    none_because: null,
    features: [],
    audience: ['people with this problem'],
    use_cases: ['what they do today by hand'],
    market_evidence: entries.slice(0, 3).map(({ id }) => id),
  };
}

function synthesis(prompt: string, liar: Liar): SynthesizeAnswer {
  const rivals = [...prompt.matchAll(/^- (.+?) \((?:incumbent|emerging), .*\[(E\d+)/gm)].map(([, name = '', id = '']) => ({ name, id }));
  const named = new Map(
    Array.from(prompt.matchAll(/^E\d+ \| feature \| (F\d+)(?: \| [a-z0-9-]+)? \| ([^:\n]+):/gm), ([, id = '', name = '']) => [id, name]),
  );
  const features = [...prompt.matchAll(/^- ([A-Za-z0-9-]+)(?:: (.+?))?, (?:asked for, )?held by (\d+) of (\d+) \[(E\d+)/gm)].map(
    ([, id = '', name = '', held = '', of = '', evidence = '']) => ({ id, name: name || (named.get(id) ?? id), held, of, evidence }),
  );
  const cite = (id: string): string[] => (lie(liar) ? [id, invent('ids', liar)] : [id]);
  const statements = rivals.slice(0, 8).map(({ name, id }) => {
    const subject = lie(liar) ? invent('names', liar) : name;
    const tail = lie(liar) ? `, as ${invent('urls', liar)} shows` : '';
    return { text: `${subject} already serves people with this problem${tail}.`, evidence: cite(id) };
  });
  const items = features.slice(0, 6).map((feature) => ({
    feature_id: feature.id,
    label: feature.name,
    reason: `${feature.held} of ${feature.of} rivals have it.`,
    evidence: cite(feature.evidence),
  }));
  const [nearest] = rivals;
  return {
    rationale: nearest ? `${nearest.name} comes nearest among ${rivals.length} rivals.` : 'No rival is known.',
    reasons_for: statements.slice(0, 2),
    reasons_against: statements.slice(2, 5),
    gaps: features.slice(-2).map((feature) => ({
      title: feature.name,
      description: `Only ${feature.held} of ${feature.of} rivals have it.`,
      feature_ids: [feature.id],
      evidence: cite(feature.evidence),
    })),
    evidence_against: statements.slice(5),
    assumptions: [{ text: 'People with this problem would change what they use.', why_it_matters: 'Without that nobody comes.' }],
    next_steps: [
      { title: 'Ask ten people', how: 'Ask what they did last time.', success_signal: '6 of 10 have the problem.', assumption: 1, evidence: [] },
    ],
    first_version: items.slice(0, 3),
    later: items.slice(3),
  };
}

function remix(prompt: string): RemixAnswer {
  const idea = firstWords(materialIn(prompt), 12);
  return {
    pivots: ['for schools', 'for small firms', 'by text message'].map((turn) => ({
      idea: `${idea} ${turn}`,
      rationale: `The research found no rival that does it ${turn}.`,
      differentiation: `It works ${turn}.`,
    })),
  };
}
