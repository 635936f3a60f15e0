const MAKERS =
  /^(?:google|microsoft|apple|adobe|amazon|aws|zoho|salesforce|sap|oracle|ibm|intuit|atlassian|cisco|meta|facebook|samsung|github|wix|sage|zendesk|hubspot) /;
const TAILS = / (?:app|apps|software|cloud|hq|inc|io|com|crm|ai|online|studio|suite|platform|pro)$/;

const flat = (name: string): string =>
  name
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/\(.*?\)/g, ' ')
    .replaceAll('&', ' and ')
    .replaceAll('+', ' plus ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

function formsOf(name: string): Set<string> {
  const forms = new Set<string>();
  for (const base of [flat(name), ...[...name.matchAll(/\((.*?)\)/g)].map((match) => flat(match[1] ?? ''))]) {
    for (const made of [base, base.replace(MAKERS, '')])
      for (const form of [made, made.replace(TAILS, ''), made.replace(TAILS, '').replace(TAILS, '')])
        if (form.length > 1) forms.add(form.replaceAll(' ', ''));
  }
  return forms;
}

const read = new Map<string, Set<string>>();
const forms = (name: string): Set<string> => {
  const known = read.get(name) ?? formsOf(name);
  read.set(name, known);
  return known;
};

/** Makers of so much that their name alone names no product. */
const MANY = new RegExp(MAKERS.source.replace(/ $/, '$'));
const SHORTEST = 4;

/** Whether one name goes on where the other ends, as "Acronis Cyber Protect" does after "Acronis". */
function sameLine(left: string, right: string): boolean {
  const [short = '', long = ''] = [flat(left), flat(right)].sort((one, other) => one.length - other.length);
  return short.length >= SHORTEST && long.startsWith(`${short} `) && !MANY.test(short);
}

/**
 * Whether two names mean one product: case, punctuation, the maker's name and endings such as `.com` or `CRM` aside. A
 * report names of each maker's line one product, so "Acronis" stands for "Acronis Cyber Protect" and the other way round.
 */
export function sameProduct(left: string, right: string): boolean {
  const other = forms(right);
  return [...forms(left)].some((form) => other.has(form)) || sameLine(left, right);
}
