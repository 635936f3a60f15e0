import type { Answers, Statement } from '../prompts/section-answers.ts';
import type { Cited, Rival, SectionContents } from '../section-content.ts';
import type { SectionType } from '../states.ts';

/** Turns a model's statements into those that hold, and counts the others. */
export type Sound = { all(statements: readonly Statement[]): Cited[]; one(statement: Statement | null | undefined): Cited | null };

/**
 * Puts a model's sentences into the frame that the rules made. A list that it leaves empty stays empty; an entry that it says
 * nothing of keeps the rules' words, and so does a sentence that has to be there and did not hold.
 */
export const FILLERS: { [S in SectionType]: (frame: SectionContents[S], answer: Answers[S], sound: Sound) => SectionContents[S] } = {
  market_map: (frame, answer, sound) => ({
    ...frame,
    summary: sound.all(answer.summary),
    segments: frame.segments.map((segment) => ({
      ...segment,
      note: sound.one(answer.segments.find(({ closeness }) => closeness === segment.closeness)?.note) ?? segment.note,
    })),
  }),
  incumbents: (frame, answer, sound) => fillRivals(frame, answer, sound),
  emerging: (frame, answer, sound) => fillRivals(frame, answer, sound),
  features: (frame, answer, sound) =>
    frame.map((feature) => ({ ...feature, reason: sound.one(answer.features.find(({ id }) => id === feature.id)?.reason) ?? feature.reason })),
  market_gaps: (frame, answer, sound) =>
    frame.map((gap) => {
      const written = answer.gaps.find(({ id }) => id === gap.id);
      return written ? { ...gap, description: sound.one(written.description) ?? gap.description, caution: sound.one(written.caution) } : gap;
    }),
  positioning: (frame, answer, sound) => ({
    ...frame,
    statement: answer.statement ? (sound.one(answer.statement) ?? frame.statement) : null,
    pillars: sound.all(answer.pillars),
    against: frame.against.map((rival) => {
      const written = answer.against.find(({ rival_id: id }) => id === rival.rival_id);
      return written ? { ...rival, line: sound.one(written.line) } : rival;
    }),
    objections: sound.all(answer.objections),
  }),
  mvp_angle: (frame, answer, sound) => ({
    ...frame,
    wedge: answer.wedge ? (sound.one(answer.wedge) ?? frame.wedge) : null,
    build_first: fillChoices(frame.build_first, answer.build_first, sound),
    leave_out: fillChoices(frame.leave_out, answer.leave_out, sound),
    risks: sound.all(answer.risks),
  }),
};

const fillRivals = (frame: Rival[], { rivals }: Answers['incumbents'], sound: Sound): Rival[] =>
  frame.map((rival) => {
    const written = rivals.find(({ id }) => id === rival.id);
    return written
      ? { ...rival, strengths: sound.all(written.strengths), weaknesses: sound.all(written.weaknesses), meaning: sound.one(written.meaning) }
      : rival;
  });

type Choices = SectionContents['mvp_angle']['build_first'];

const fillChoices = (frame: Choices, written: Answers['mvp_angle']['build_first'], sound: Sound): Choices =>
  frame.map((choice) => ({ ...choice, reason: sound.one(written.find(({ id }) => id === choice.id)?.reason) ?? choice.reason }));
