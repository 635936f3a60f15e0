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

/** Whether two names mean one product: case, punctuation, the maker's name and endings such as `.com` or `CRM` aside. */
export function sameProduct(left: string, right: string): boolean {
  const other = forms(right);
  return [...forms(left)].some((form) => other.has(form));
}
