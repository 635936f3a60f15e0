import type { z } from 'zod';
import type { ObjectModel } from '#platform/llm/models.ts';
import type { StageRun } from '#platform/runs/define-pipeline.ts';
import { ContentlessIdea, type Analyst } from '../analyst.ts';
import { ANALYZE_SYSTEM, AnalyzeAnswer, analyzePrompt } from '../prompts/analyze.ts';
import { INTERPRET_SYSTEM, InterpretAnswer, interpretPrompt } from '../prompts/interpret.ts';
import { JUDGE_SYSTEM, JudgeAnswer, judgePrompt } from '../prompts/judge.ts';
import { materialOf } from '../prompts/material.ts';
import { PIVOTS, REMIX_SYSTEM, RemixAnswer, remixPrompt } from '../prompts/remix.ts';
import { SYNTHESIZE_SYSTEM, SynthesizeAnswer, synthesizePrompt } from '../prompts/synthesize.ts';
import { isContentless } from '../rule-analyst/substance.ts';
import { scoreIdea } from '../scoring.ts';
import { groundAnalysis } from './ground-analysis.ts';
import { readInterpretation } from './read-interpretation.ts';
import { readSynthesis } from './read-synthesis.ts';

/** Characters of each finding that a stage shows to the model. */
const SHOWN = { judge: 400, analyze: 1500, synthesize: 500 };
/** The word lists that tell a contentless text are of Latin script; of others the model judges. */
const OTHER_SCRIPT = /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u;

type Question<T> = { name: string; system: string; prompt: string; schema: z.ZodType<T> };

/** The analyst that asks a language model: one call per stage, and the score never comes from it. */
export function modelAnalyst(model: ObjectModel): Analyst {
  const ask = async <T>(question: Question<T>, stage: Pick<StageRun, 'signal' | 'spend'>): Promise<T> => {
    const { object, usage } = await model.object({ ...question, signal: stage.signal });
    stage.spend(usage);
    return object;
  };
  return {
    engine: { analyst: 'model', provider: model.provider, model: model.model },

    interpret: async (idea, stage) => {
      if (!OTHER_SCRIPT.test(idea) && isContentless(idea)) throw new ContentlessIdea('nothing in the text');
      const answer = await ask({ name: 'interpret', system: INTERPRET_SYSTEM, prompt: interpretPrompt(idea), schema: InterpretAnswer }, stage);
      if (answer.contentless) throw new ContentlessIdea('the model found no product in the text');
      return readInterpretation(idea, answer);
    },

    judge: async (about, findings, stage) => {
      const material = materialOf(findings, SHOWN.judge);
      const answer = await ask({ name: 'judge', system: JUDGE_SYSTEM, prompt: judgePrompt(about, material), schema: JudgeAnswer }, stage);
      const notes = answer.off_topic.map(({ id, reason }) => ({ id: material.idOf(id), reason }));
      const out = new Set(notes.map((note) => note.id));
      return { relevant: findings.map(({ id }) => id).filter((id) => !out.has(id)), notes };
    },

    analyze: async (about, findings, stage, { strict }) => {
      const material = materialOf(findings, SHOWN.analyze);
      const prompt = analyzePrompt(about, material, strict);
      const answer = await ask({ name: 'analyze', system: ANALYZE_SYSTEM, prompt, schema: AnalyzeAnswer }, stage);
      return groundAnalysis(about, answer, material, findings);
    },

    synthesize: async (about, analysis, findings, stage) => {
      const scored = scoreIdea(about, analysis, findings);
      const material = materialOf(findings, SHOWN.synthesize);
      const prompt = synthesizePrompt(about, analysis, scored, material);
      const answer = await ask({ name: 'synthesize', system: SYNTHESIZE_SYSTEM, prompt, schema: SynthesizeAnswer }, stage);
      return readSynthesis(answer, analysis, scored, material);
    },

    remix: async (about, stage) => {
      const question = { name: 'remix', system: REMIX_SYSTEM, prompt: remixPrompt(about), schema: RemixAnswer };
      const { pivots } = await ask(question, { ...stage, spend: () => {} });
      return pivots.slice(0, PIVOTS);
    },
  };
}
