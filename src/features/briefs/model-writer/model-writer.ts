import { z } from 'zod';
import { openFence } from '#platform/llm/material.ts';
import type { ObjectModel } from '#platform/llm/models.ts';
import { materialOf } from '../prompts/material.ts';
import { ANSWERS, type Answers, type Statement } from '../prompts/section-answers.ts';
import { WRITE_SECTIONS_SYSTEM, writeSectionsPrompt } from '../prompts/write-sections.ts';
import { writeByRule } from '../rule-writer/rule-writer.ts';
import type { SectionLock } from '../section-lock.ts';
import type { SectionType } from '../states.ts';
import type { BriefCase, BriefWriter, Draft, Drafts, WriteRun } from '../writer.ts';
import { FILLERS, type Sound } from './fill-section.ts';

const GROUPS = [
  ['market_map', 'incumbents', 'emerging'],
  ['features', 'market_gaps', 'positioning', 'mvp_angle'],
] as const satisfies readonly SectionType[][];

/**
 * The writer that asks a language model for the sentences of several sections in one call. Facts and order come from the
 * research; a sentence that the lock does not pass is counted.
 */
export function modelWriter(model: ObjectModel, lock: SectionLock): BriefWriter {
  // One code for the whole run, so that what every question begins with is the same.
  const fence = openFence();
  return {
    engine: { analyst: 'model', provider: model.provider, model: model.model },
    groups: GROUPS,
    write: async (sections, about, run) => {
      const framed = sections.map((section) => ({ section, frame: writeByRule(section, about) }));
      // Of nothing there is nothing to say.
      const asked = framed.filter(({ frame }) => !(Array.isArray(frame) && frame.length === 0));
      const drafts: Drafts = Object.fromEntries(
        framed.filter((entry) => !asked.includes(entry)).map(({ section, frame }) => [section, { content: frame, dropped: 0 }]),
      );
      if (asked.length === 0) return drafts;
      const material = materialOf(about.artifact, fence);
      const answers = await ask(
        model,
        asked.map(({ section }) => section),
        writeSectionsPrompt(asked, about, material, fence),
        run,
      );
      for (const { section } of asked) {
        const answer = answers[section];
        if (answer) Object.assign(drafts, { [section]: filled(section, about, answer as never, material.idOf, lock) });
      }
      return drafts;
    },
  };
}

/** The answers of the sections that could be read; one that is asked for by itself is repaired like any other answer. */
async function ask(model: ObjectModel, sections: readonly SectionType[], prompt: string, run: WriteRun): Promise<Partial<Answers>> {
  const [first] = sections;
  const only = sections.length === 1 ? first : undefined;
  const schema: z.ZodType = only ? ANSWERS[only] : z.object(Object.fromEntries(sections.map((section) => [section, readable(section)])));
  const name = only ? `brief_${only}` : 'brief_sections';
  const { object, usage } = await model.object({ name, system: WRITE_SECTIONS_SYSTEM, prompt, schema, signal: run.signal });
  run.spend(usage);
  return (only ? { [only]: object } : object) as Partial<Answers>;
}

const readable = (section: SectionType): z.ZodType => (ANSWERS[section] as z.ZodType).catch(undefined);

function filled<S extends SectionType>(
  section: S,
  about: BriefCase,
  answer: Answers[S],
  idOf: (short: string) => string,
  lock: SectionLock,
): Draft<S> {
  let dropped = 0;
  const all = (statements: readonly Statement[]) => {
    const locked = lock(statements.map(({ text, evidence }) => ({ text, evidence_ids: evidence.map(idOf) })));
    dropped += locked.dropped;
    return locked.value;
  };
  const sound: Sound = { all, one: (statement) => (statement ? (all([statement])[0] ?? null) : null) };
  const content = FILLERS[section](writeByRule(section, about), answer, sound);
  return { content, dropped };
}
