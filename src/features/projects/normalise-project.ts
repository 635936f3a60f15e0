import { sha256 } from '#lib/ids.ts';
import { collapseSpaces, normaliseText, shorten, slugify } from '#lib/text.ts';

export type NormalisedProject = {
  ideaKey: string;
  title: string;
  slug: string;
  cleanTitle: string;
  shortTitle: string;
  oneLiner: string;
  description: string;
  status: 'complete' | 'failed';
};

const FILLER = new Set(
  'a an and the of for to in on with that which who by from my our your app application tool platform service system idea i we want build make create something is are it this'.split(
    ' ',
  ),
);
const OPENINGS =
  /^(?:(?:i|we) (?:want|would like|plan|am going|are going) to (?:build|make|create)|(?:build|make|create)|an? (?:app|tool|platform|service) (?:that|which|for|to)|idea:)\s+/i;

/** The derived fields of a project. `failed` when the title holds no word that says anything. */
export function normaliseProject(title: string, description: string): NormalisedProject {
  const flat = collapseSpaces(title);
  const cleanTitle = shorten(sentenceCase(flat.replace(OPENINGS, '').replace(/[\s.!?;,]+$/u, '')) || flat, 120);
  const words = contentWords(cleanTitle);
  return {
    ideaKey: sha256(`${normaliseText(title)}\n${normaliseText(description)}`),
    title: flat,
    slug: slugify(cleanTitle),
    cleanTitle,
    shortTitle: shortTitleOf(cleanTitle),
    oneLiner: firstSentence(collapseSpaces(description) || flat),
    description,
    status: words.length > 0 ? 'complete' : 'failed',
  };
}

/** Up to three words that say most: the first content words in their order. */
export function shortTitleOf(title: string): string {
  const words = contentWords(title);
  const chosen = (words.length > 0 ? words : title.split(' ')).slice(0, 3).join(' ');
  return sentenceCase(chosen) || 'Untitled';
}

/** 30 to 80 characters: from the description, else the one-liner, else the title; a neutral phrase fills what is too short. */
export function shortDescriptionOf(project: { description: string; oneLiner: string; title: string }): string {
  const source = [project.description, project.oneLiner, project.title].map(collapseSpaces).find((text) => text.length > 0) ?? '';
  const text = shorten(source, 80);
  return text.length >= 30 ? text : shorten(`${text || 'Untitled'} – a product idea to be researched`, 80);
}

const contentWords = (text: string): string[] =>
  text
    .replaceAll(/[^\p{L}\p{N}'’&+-]+/gu, ' ')
    .split(' ')
    .filter((word) => /\p{L}/u.test(word) && !FILLER.has(word.toLowerCase()));

const sentenceCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function firstSentence(text: string): string {
  const end = /[.!?](?=\s|$)/u.exec(text);
  return shorten(end ? text.slice(0, end.index + 1) : text, 200);
}
