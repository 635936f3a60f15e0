// Prints the compact form of a contract: `node scripts/print-contract-routes.ts contract.json [family …] > tests/contract/routes.json`; format the file afterwards.
import { readFileSync } from 'node:fs';

type ContractRoute = { family: string; method: string; path: string; auth: string; success: { status: number }[]; rate_limit: string };

const [file, ...families] = process.argv.slice(2);
if (!file) throw new Error('usage: print-contract-routes.ts CONTRACT_JSON [FAMILY …]');
const { routes } = JSON.parse(readFileSync(file, 'utf8')) as { routes: ContractRoute[] };

const compact = routes
  .filter(({ family }) => families.length === 0 || families.includes(family))
  .map(({ family, method, path, auth, success, rate_limit }) => ({
    family,
    method,
    path,
    auth,
    success: [...new Set(success.map(({ status }) => status))].sort((left, right) => left - right),
    limit: limitOf(rate_limit),
  }));
const lineOf = (route: object): string => {
  const fields = Object.entries(route).map(([name, value]) => `"${name}": ${JSON.stringify(value).replaceAll(',', ', ')}`);
  return `  { ${fields.join(', ')} }`;
};
process.stdout.write(`[\n${compact.map(lineOf).join(',\n')}\n]\n`);

/** `10/min/user; …` as `10/minute/user`; empty where none is stated. */
function limitOf(text: string): string {
  const [, max, per, by] = /^(\d+)\/(min|hour)(?:\/(\w+))?/.exec(text) ?? [];
  if (!max) return '';
  return `${max}/${per === 'min' ? 'minute' : 'hour'}${by ? `/${by}` : ''}`;
}
