import { FOREIGN_LANGUAGES, type ForeignLanguage } from './lexicon.ts';
import type { Query } from './query.ts';
import type { CatalogueCompany } from './schema.ts';

type Area = {
  /** What a summary or an address holds when a product is made where the language is spoken. */
  made: RegExp;
  /** Words by which an English text says that it is about there. */
  named: ReadonlySet<string>;
};

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

const AREAS: Readonly<Record<ForeignLanguage, Area>> = {
  de: {
    made: /\b(?:German|Germany|Austrian?|Swiss|Berlin|Munich|Vienna|Hamburg)\b|\.(?:de|at|ch)$/,
    named: words('germany austria austrian switzerland swiss berlin munich vienna hamburg zurich cologne frankfurt leipzig stuttgart'),
  },
  fr: {
    made: /\b(?:French|France|Paris|Belgian|Quebec)\b|\.fr$/,
    named: words('france paris lyon marseille toulouse bordeaux nantes belgium belgian brussels quebec'),
  },
  es: {
    made: /\b(?:Spanish|Spain|Barcelona|Madrid|Latin America[n]?|Mexic\w+|Argentin\w+|Chile\w*|Colombia\w*|Peru\w*)\b|\.(?:es|mx|cl|ar|co|pe)$/,
    named: words('spain madrid barcelona valencia seville mexico mexican argentina argentine chile chilean colombia colombian peru peruvian bogota'),
  },
  pt: {
    made: /\b(?:Brazil\w*|Portug\w+|São Paulo|Lisbon)\b|\.(?:br|pt)$/,
    named: words('brazil brazilian portugal lisbon porto brasilia'),
  },
};

/** The countries whose products are an idea's rivals first: those of its language, or those that an English text names. */
export function areaOf({ language, tokens }: Query): ForeignLanguage | undefined {
  if (language === 'other') return undefined;
  return language === 'en' ? FOREIGN_LANGUAGES.find((area) => tokens.some(({ word }) => AREAS[area].named.has(word))) : language;
}

/** Whether what is known of a product says that it is made there. */
export const isMadeIn = ({ summary, domain }: CatalogueCompany, area: ForeignLanguage): boolean =>
  AREAS[area].made.test(summary) || AREAS[area].made.test(domain);

/** Whether it says that a product is made in another of the areas alone. */
export const isMadeElsewhere = (company: CatalogueCompany, area: ForeignLanguage): boolean =>
  !isMadeIn(company, area) && FOREIGN_LANGUAGES.some((other) => isMadeIn(company, other));
