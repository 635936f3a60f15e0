import type { z } from 'zod';
import { openFence } from '#platform/llm/material.ts';
import type { ObjectModel } from '#platform/llm/models.ts';
import type { StageRun } from '#platform/runs/define-pipeline.ts';
import { ContentlessIdea, type Analyst } from '../analyst.ts';
import { AnalyzeAnswer, analyzePrompt } from '../prompts/analyze.ts';
import { candidateMarkets, ChooseMarketsAnswer, chooseMarketsPrompt } from '../prompts/choose-markets.ts';
import { InterpretAnswer, interpretPrompt } from '../prompts/interpret.ts';
import { JudgeAnswer, judgePrompt } from '../prompts/judge.ts';
import { materialOf } from '../prompts/material.ts';
import { PIVOTS, REMIX_SYSTEM, RemixAnswer, remixPrompt } from '../prompts/remix.ts';
import { RESEARCH_SYSTEM } from '../prompts/research-system.ts';
import { SynthesizeAnswer, synthesizePrompt } from '../prompts/synthesize.ts';
import { isContentless } from '../rule-analyst/substance.ts';
import { scoreIdea } from '../scoring.ts';
import { analyzeAlone, groundAnalysis } from './ground-analysis.ts';
import { inChosenMarkets, readInterpretation } from './read-interpretation.ts';
import { readSynthesis } from './read-synthesis.ts';

/** Characters of each page that a model is shown; the analysis and what follows from it are shown the same. */
const SHOWN = { judge: { page: 400, remembered: 0 }, analyze: { page: 900, remembered: 600 } };
/** The word lists that tell a contentless text are of Latin script; of others the model judges. */
const OTHER_SCRIPT = /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u;

type Question<T> = { name: string; system?: string; prompt: string; schema: z.ZodType<T> };

/**
 * The analyst that asks a language model, for one run: two calls to understand the idea and choose its markets, one each to
 * analyse and to conclude, one to sort pages where the web was searched. The score never comes from it.
 */
export function modelAnalyst(model: ObjectModel): Analyst {
  const fence = openFence();
  const ask = async <T>(question: Question<T>, stage: Pick<StageRun, 'signal' | 'spend'>): Promise<T> => {
    const { object, usage } = await model.object({ system: RESEARCH_SYSTEM, ...question, signal: stage.signal });
    stage.spend(usage);
    return object;
  };
  return {
    engine: { analyst: 'model', provider: model.provider, model: model.model },

    interpret: async (idea, stage) => {
      if (!OTHER_SCRIPT.test(idea) && isContentless(idea)) throw new ContentlessIdea('nothing in the text');
      const question = { name: 'interpret', prompt: interpretPrompt(idea, fence), schema: InterpretAnswer };
      // Kept before the markets are asked about: a run that is cut off there does not pay for it again.
      const answer = stage.part
        ? await stage.part('reading', async (part) => ({ output: await ask(question, part), events: [] }))
        : await ask(question, stage);
      if (answer.contentless) throw new ContentlessIdea('the model found no product in the text');
      const about = readInterpretation(idea, answer);
      const candidates = candidateMarkets(about, idea);
      if (candidates.length === 0) return about;
      const prompt = chooseMarketsPrompt(about, candidates, fence);
      return inChosenMarkets(about, await ask({ name: 'choose-markets', prompt, schema: ChooseMarketsAnswer }, stage), candidates);
    },

    // What the catalogue has of the chosen markets bears on them, and the pages of products that it named itself were read for that.
    judge: async (about, findings, stage) => {
      const searched = findings.filter(({ kind, isRemembered }) => kind === 'web' && !isRemembered);
      if (searched.length === 0) return { relevant: findings.map(({ id }) => id), notes: [] };
      const material = materialOf(searched, SHOWN.judge, fence);
      const answer = await ask({ name: 'judge', prompt: judgePrompt(about, material, fence), schema: JudgeAnswer }, stage);
      const notes = answer.off_topic.map(({ id, reason }) => ({ id: material.idOf(id), reason }));
      const out = new Set(notes.map((note) => note.id));
      return { relevant: findings.map(({ id }) => id).filter((id) => !out.has(id)), notes };
    },

    analyze: async (about, findings, stage, { strict }) => {
      const material = materialOf(findings, SHOWN.analyze, fence);
      const answer = await ask({ name: 'analyze', prompt: analyzePrompt(about, material, strict, fence), schema: AnalyzeAnswer }, stage);
      return groundAnalysis(about, answer, material, findings);
    },

    analyzeAlone,

    synthesize: async (about, analysis, findings, stage) => {
      const scored = scoreIdea(about, analysis, findings);
      const material = materialOf(findings, SHOWN.analyze, fence);
      const prompt = synthesizePrompt(about, analysis, scored, material, fence);
      const answer = await ask({ name: 'synthesize', prompt, schema: SynthesizeAnswer }, stage);
      return readSynthesis(answer, { idea: about, analysis, material }, scored);
    },

    remix: async (about, stage) => {
      const question = { name: 'remix', system: REMIX_SYSTEM, prompt: remixPrompt(about, fence), schema: RemixAnswer };
      const { pivots } = await ask(question, { ...stage, spend: () => {} });
      return pivots.slice(0, PIVOTS);
    },
  };
}
