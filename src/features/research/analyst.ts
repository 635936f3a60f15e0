import type { KeepingRun, StageRun } from '#platform/runs/define-pipeline.ts';
import type { EarlierResearch } from './earlier-research.ts';
import type {
  Assumption,
  BuildItem,
  Cited,
  Competitor,
  Engine,
  FromMemory,
  MarketFeature,
  NextStep,
  Recommendation,
  SourceKind,
  SourceReport,
  Whitespace,
} from './schema.ts';

/** What is understood of an idea before anything is looked up. */
export type Interpretation = {
  language: string;
  /** The idea in one clean paragraph, typos and rambling removed, nothing added. */
  normalizedIdea: string;
  /** A name when the text gives one, else null. */
  productName: string | null;
  /** At most three words. */
  shortTitle: string;
  oneLineSummary: string;
  targetUser: string;
  problemStatement: string;
  proposedSolution: string;
  category: string;
  subcategory: string;
  marketType: string;
  /** Catalogue ids of the markets it touches, best first; empty when none is known. */
  categoryIds: string[];
  /** 0 to 1: how sure the classification is. */
  confidence: number;
  /** Whether the market is known; what an older version stored does not say. */
  certainty?: Certainty;
  /** Markets that may be meant where it is not sure, best first; not among `categoryIds`. */
  candidates?: { id: string; confidence: number }[];
  /** Products that a model knows of without material: nothing that the idea says, and no evidence before their pages were read. */
  remembered?: Remembered[];
  /** 0 to 1 each: whether the text says who it is for, what hurts, and what is to be built. */
  clarity: { user: number; problem: number; solution: number };
  /** What the idea says it will do, in its own words, with the catalogue feature it means where one is known. */
  askedFor: { label: string; featureId: string | null; /** The part of the idea that says so. */ quote?: string }[];
  /** What it says that it does without, where it is for, and what it is to cost, where it says so. */
  unasked?: string[];
  place?: string;
  price?: string;
  /** What its user has put right, where that decides what is searched for. */
  told?: Told;
  /** What to ask a web search, two to five queries, in the idea's language and in English. */
  queries: string[];
};

/** A product from a model's memory. */
export type Remembered = { name: string; url: string; /** Why somebody with the idea's problem would use it. */ why: string };

/** The market is known; one of some markets, not certain which; none that is known. */
export type Certainty = 'sure' | 'unsure' | 'unknown';

/** How surely a reading knows its market: whatever does not say is as sure as it has one. */
export const certaintyIn = ({ certainty, categoryIds }: Pick<Interpretation, 'certainty' | 'categoryIds'>): Certainty =>
  certainty ?? (categoryIds.length > 0 ? 'sure' : 'unknown');

export type Told = {
  /** Catalogue ids of the markets that are meant. */
  markets?: string[];
  /** What is asked for and what is not, in the user's words. */
  askedFor?: string[];
  unasked?: string[];
};

/** Thrown by `interpret` for text that says nothing a product could be made of. */
export class ContentlessIdea extends Error {
  override name = 'ContentlessIdea';
}

/** One thing that was found. `facts` holds what the catalogue or an earlier research knows in structured form. */
export type Finding = {
  id: string;
  kind: Exclude<SourceKind, 'prior_research'>;
  url: string | null;
  title: string;
  /** Short, as it is shown. */
  snippet: string;
  /** Longer, as an analyst reads it: data, never instructions. */
  text: string;
  confidence: number | null;
  freshness: number;
  fetchedAt: string;
  facts: Facts | null;
  /** A page of a product that the analyst itself named, and that names it. */
  isRemembered?: boolean;
};

export type Facts =
  | {
      kind: 'company';
      companyId: string;
      categoryId: string;
      name: string;
      domain: string;
      founded: number | null;
      standing: 'incumbent' | 'emerging';
      pricing: string;
      funding: string | null;
      summary: string;
      /** Ids of catalogue features in that category. */
      featureIds: string[];
      /** The catalogue search's own relevance, 0 to 1. */
      relevance: number;
    }
  | {
      kind: 'feature';
      featureId: string;
      categoryId: string;
      name: string;
      description: string;
      /** How surely the idea asks for it as the catalogue reads it, 0 to 1. */
      certainty: number;
      /** Companies of the category that have it. */
      heldBy: string[];
    };

/** What was found: what analysts work with, and earlier research, which they never see. */
export type Gathered = {
  findings: Finding[];
  earlier: EarlierResearch[];
  sources: SourceReport[];
  /** Products from a model's memory of which no page could be read that names them. */
  fromMemory?: FromMemory[];
};

/** Which findings bear on the idea; the others are left out of what follows. */
export type Judgement = { relevant: string[]; notes: { id: string; reason: string }[] };

/** Who is in the market and what they do. Every entry cites findings by id. */
export type Analysis = {
  incumbents: Competitor[];
  emerging: Competitor[];
  features: MarketFeature[];
  audience: string[];
  useCases: string[];
  marketEvidenceIds: string[];
  /** Why an analyst that names nobody does so although there is evidence. */
  noneBecause?: string;
};

export type Synthesis = {
  recommendation: Recommendation;
  whitespaces: Whitespace[];
  evidenceAgainst: Cited[];
  assumptions: Assumption[];
  nextSteps: NextStep[];
  phase1: BuildItem[];
  phase2: BuildItem[];
};

export type Pivot = { idea: string; rationale: string; differentiation: string };

/**
 * Decides what the stages of a research are about. Two implementations: one by rules over the evidence, one that asks
 * a model. Neither is trusted: what they cite is checked against the findings before it is kept (`evidence-lock.ts`), and
 * the score is computed by `scoring.ts` for both.
 */
export type Analyst = {
  engine: Engine;
  /** @throws ContentlessIdea */
  interpret(idea: string, stage: StageRun & Partial<Pick<KeepingRun, 'part'>>): Promise<Interpretation>;
  judge(about: Interpretation, findings: readonly Finding[], stage: StageRun): Promise<Judgement>;
  /** With `strict`, once more after an empty answer although there was evidence. */
  analyze(about: Interpretation, findings: readonly Finding[], stage: StageRun, options: { strict: boolean }): Promise<Analysis>;
  /** What stands without any evidence; where it is left out, a research that finds nothing fails. */
  analyzeAlone?(about: Interpretation): Analysis;
  synthesize(about: Interpretation, analysis: Analysis, findings: readonly Finding[], stage: StageRun): Promise<Synthesis>;
  /** Three pivots that differ from each other and from the idea, each towards a gap that was found. */
  remix(about: RemixInput, stage: Pick<StageRun, 'signal'>): Promise<Pivot[]>;
};

export type RemixInput = {
  idea: string;
  shortTitle: string;
  targetUser: string;
  categoryIds: string[];
  whitespaces: readonly Whitespace[];
  features: readonly MarketFeature[];
  competitors: readonly Competitor[];
  audience: readonly string[];
};
