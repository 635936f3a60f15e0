import { quotesFrom, spanOf } from '../grounding/spans.ts';
import type { IdeaInterpretation, Statement } from './schema.ts';
import { present } from './describe-reading.ts';

/** The same interpretation for the same words in another writing: its spans are those of that text. */
export function restate(described: IdeaInterpretation, idea: string): IdeaInterpretation {
  const quote = quotesFrom(idea);
  const moved = <S extends Statement>(statement: S): S => ({ ...statement, span: statement.span && (quote(statement.span.quote) ?? null) });
  const { user, pain, core_action, place, price, language, asked_for, not_asked_for, markets, certainty } = described;
  const field = (statement: Statement | undefined): Statement | undefined => statement && moved(statement);
  return {
    ...present({
      user: field(user),
      pain: field(pain),
      core_action: field(core_action),
      place: field(place),
      price: field(price),
      language: language && { ...language, span: language.span && spanOf(idea, 0, idea.length) },
    }),
    asked_for: asked_for.map(moved),
    not_asked_for: not_asked_for.map(moved),
    ...(certainty ? { certainty } : {}),
    markets: markets.map((market) => ({ ...market, words: market.words.flatMap((word) => quote(word.quote) ?? []) })),
  };
}
