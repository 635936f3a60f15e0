import type { IdeaInterpretation } from '#features/research';
import { cleanText } from '#lib/clean-text.ts';
import { percentOf } from '#lib/text.ts';

type Said = { text: string } | undefined;

const listed = (statements: readonly { text: string }[]): string => [...new Set(statements.map(({ text }) => text))].join('; ');

/** How an idea was understood, in at most five lines; what it does not say has none. */
export function interpretationLines({
  user,
  pain,
  core_action: action,
  asked_for,
  not_asked_for,
  place,
  price,
  markets,
  certainty = 'sure',
}: IdeaInterpretation): string[] {
  const inPlace = [
    ['For', user],
    ['in', place],
    ['at', price],
  ].flatMap(([word, said]) => (said ? [`${String(word)} ${(said as { text: string }).text}`] : []));
  const first = [action && `Understood: ${action.text}`, ...inPlace].filter(Boolean).join(' · ');
  const line = (word: string, said: Said): string => (said?.text ? `${word}: ${said.text}` : '');
  const lines = [
    first,
    line('Pain', pain),
    line('Asked for', { text: listed(asked_for) }),
    line('Not asked for', { text: listed(not_asked_for) }),
    marketLine(markets, certainty),
  ];
  return lines.filter(Boolean).map(cleanText);
}

function marketLine(markets: IdeaInterpretation['markets'], certainty: NonNullable<IdeaInterpretation['certainty']>): string {
  const [first, ...others] = markets;
  if (!first) return 'Market: none that is known';
  if (certainty !== 'sure')
    return `Market: ${certainty === 'unknown' ? 'none that is known; nearest' : 'not certain; perhaps'} ${markets.map(({ name }) => name).join(' or ')}`;
  const words = [...new Set(first.words.map(({ quote }) => quote))];
  const because = words.length > 0 ? `, for ${words.map((word) => `"${word}"`).join(', ')}` : '';
  const near = others.length > 0 ? `; else ${others.map(({ name }) => name).join(' or ')}` : '';
  return `Market: ${first.name} (${percentOf(first.confidence)} sure${because})${near}`;
}
