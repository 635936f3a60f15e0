import type { z } from 'zod';
import type { ObjectModel } from '#platform/llm/models.ts';
import { materialOf } from '../prompts/material.ts';
import { ANSWERS, type Answers, type Statement } from '../prompts/section-answers.ts';
import { WRITE_SECTION_SYSTEM, writeSectionPrompt } from '../prompts/write-section.ts';
import { writeByRule } from '../rule-writer/rule-writer.ts';
import type { SectionLock } from '../section-lock.ts';
import type { BriefWriter } from '../writer.ts';
import { FILLERS, type Sound } from './fill-section.ts';

/**
 * The writer that asks a language model for the sentences of a section, in one call. Facts and order come from the
 * research; a sentence that the lock does not pass is counted and the rules' own stays in its place.
 */
export const modelWriter = (model: ObjectModel, lock: SectionLock): BriefWriter => ({
  engine: { analyst: 'model', provider: model.provider, model: model.model },
  write: async (section, about, run) => {
    const frame = writeByRule(section, about);
    if (Array.isArray(frame) && frame.length === 0) return { content: frame, dropped: 0 };
    const material = materialOf(about.artifact);
    const { object, usage } = await model.object({
      name: `brief_${section}`,
      system: WRITE_SECTION_SYSTEM,
      prompt: writeSectionPrompt(section, about, frame, material),
      schema: ANSWERS[section] as unknown as z.ZodType<Answers[typeof section]>,
      signal: run.signal,
    });
    run.spend(usage);
    let dropped = 0;
    const all = (statements: readonly Statement[]) => {
      const locked = lock(statements.map(({ text, evidence }) => ({ text, evidence_ids: evidence.map(material.idOf) })));
      dropped += locked.dropped;
      return locked.value;
    };
    const sound: Sound = { all, one: (statement) => (statement ? (all([statement])[0] ?? null) : null) };
    return { content: FILLERS[section](frame, object, sound), dropped };
  },
});
