import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Category } from './schema.ts';

/** Companies that a market needs to be one. */
const FEWEST = 8;

type CatalogueCheck = { categories: number; companies: number; files: number; problems: string[] };
type Parsed = { file: string; category: Category };
type Say = (file: string, text: string) => void;

const root = join(import.meta.dirname, 'data');

const filesOf = (path: string): string[] =>
  statSync(path).isDirectory()
    ? readdirSync(path).flatMap((name) => filesOf(join(path, name)))
    : path.endsWith('.json') && !path.includes('/lexicon/')
      ? [path]
      : [];

const repeated = (values: readonly string[]) => values.filter((value, index) => values.indexOf(value) !== index);

function parseFile(file: string, say: Say): Parsed[] {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    say(file, `is not JSON: ${String(error)}`);
    return [];
  }
  const result = Category.safeParse(json);
  if (result.success) return [{ file, category: result.data }];
  for (const issue of result.error.issues) say(file, `${issue.path.join('.')}: ${issue.message}`);
  return [];
}

function checkAlone({ file, category }: Parsed, say: Say): void {
  if (`${category.id}.json` !== basename(file)) say(file, `id "${category.id}" differs from the file name`);
  if (category.segment !== basename(dirname(file)).replaceAll('-', '_')) say(file, 'segment differs from the folder');
  const ids = category.features.map((feature) => feature.id);
  const features = new Set(ids);
  for (const id of repeated(ids)) say(file, `feature ${id} stands twice`);
  for (const company of category.companies) {
    for (const id of company.features) if (!features.has(id)) say(file, `${company.id} has the unknown feature ${id}`);
    for (const id of repeated(company.features)) say(file, `${company.id} lists ${id} twice`);
  }
  const here = new Set([...category.companies.map(({ id }) => id), ...category.also.map(({ company }) => company)]);
  if (here.size < FEWEST) say(file, `${here.size} companies, those of other files included: fewer than ${FEWEST}`);
  for (const [need, companies] of Object.entries(category.answered_by)) {
    if (!category.needs.includes(need)) say(file, `answered_by: "${need}" is not among the needs`);
    for (const id of companies) if (!here.has(id)) say(file, `answered_by: ${id} is no company of this market`);
  }
  for (const [area, companies] of Object.entries(category.locally)) {
    for (const id of companies) if (!here.has(id)) say(file, `locally.${area}: ${id} is no company of this market`);
    for (const id of repeated(companies)) say(file, `locally.${area}: ${id} stands twice`);
  }
  const held = new Set([...category.companies, ...category.also].flatMap((company) => company.features));
  for (const id of features) if (!held.has(id)) say(file, `no company has the feature ${id}`);
}

function checkTogether(parsed: readonly Parsed[], say: Say): number {
  const homes = new Map<string, string>();
  for (const { file, category } of parsed) {
    for (const { id } of category.companies) {
      const earlier = homes.get(id);
      if (earlier !== undefined) say(file, `company ${id} is also in ${earlier}: use "also" in one of the two`);
      homes.set(id, file);
    }
  }
  for (const { file, category } of parsed) {
    const features = new Set(category.features.map((feature) => feature.id));
    for (const link of category.also) {
      if (!homes.has(link.company)) say(file, `also: unknown company ${link.company}`);
      for (const id of link.features) if (!features.has(id)) say(file, `also: ${link.company} has the unknown feature ${id}`);
    }
  }
  return homes.size;
}

/** Holds the category files to the schema and to each other; reports the problems of the named files or folders, else of all. */
export function checkCatalogue(named: readonly string[] = []): CatalogueCheck {
  const everything = filesOf(root);
  const wanted = new Set(named.length > 0 ? named.flatMap(filesOf).map((file) => join(file)) : everything);
  const problems: string[] = [];
  const say: Say = (file, text) => {
    if (wanted.size === everything.length || [...wanted].some((path) => file.endsWith(path))) problems.push(`${file}: ${text}`);
  };
  const parsed = everything.flatMap((file) => parseFile(file, say));
  for (const one of parsed) checkAlone(one, say);
  const companies = checkTogether(parsed, say);
  return { categories: parsed.length, companies, files: wanted.size, problems };
}
