import { collapseSpaces, shorten, slugify } from '#lib/text.ts';
import type { PlannedNode } from '../planner.ts';
import type { Days } from '../schema.ts';
import type { Wording } from './wording.ts';
import { capital } from './words.ts';

type Piece = { key: string; name: string; description: string; days: Days; acceptance: string[]; after: string[] };

const MOST_CLAUSES = 3;

/**
 * Parts for a feature that no pattern fits: real cases first, then what its description says one by one, then a trial.
 * It claims no more than the description gives.
 */
export function ownParts(label: string, description: string, { user }: Wording): Piece[] {
  const clauses = clausesOf(description, label);
  const named = label.replace(/[.!?]+$/, '');
  const steps: Piece[] =
    clauses.length >= 2
      ? clauses.map((clause, at) => ({
          key: slugify(clause, 32),
          name: shorten(capital(clause), 90),
          description: `Part of ${named}: ${clause}.`,
          days: { low: 1, high: 4 },
          acceptance: ['Works for all ten cases that were written down'],
          after: at === 0 ? ['cases'] : [slugify(clauses[0] ?? '', 32)],
        }))
      : [
          {
            key: 'first-case',
            name: `${named}: one case from end to end`,
            description: `The smallest version that serves one real ${user.one}, however plainly.`,
            days: { low: 1, high: 3 },
            acceptance: ['The first of the ten written cases gives the expected result without help from a developer'],
            after: ['cases'],
          },
          {
            key: 'other-cases',
            name: `${named}: the other nine cases`,
            description: 'What the first case left out, in the order in which the cases occur most.',
            days: { low: 1, high: 5 },
            acceptance: ['All ten written cases give the expected result'],
            after: ['first-case'],
          },
        ];
  const last = steps.at(-1)?.key ?? 'cases';
  return dropRepeats([
    {
      key: 'cases',
      name: `Ten real cases of ${inline(named)}`,
      description: `Written down with three ${user.many}: what goes in, what should come out, what may go wrong.`,
      days: { low: 0.5, high: 1 },
      acceptance: [`Three ${user.many} agree on the expected result of each of the ten cases`],
      after: [],
    },
    ...steps,
    {
      key: 'trial',
      name: `${named} tried with five ${user.many}`,
      description: 'They use it on their own cases while somebody watches and keeps silent.',
      days: { low: 0.5, high: 1.5 },
      acceptance: [`Four of five ${user.many} get the result they expected without help`],
      after: [last],
    },
  ]);
}

/** Parts of a node that the library knows no parts of: a first slice, then one per thing that has to hold. */
export function slicesOf(node: Pick<PlannedNode, 'name' | 'days' | 'acceptance' | 'riskReasons' | 'risk'>): Piece[] {
  const share = (part: number): Days => ({ low: tenth(node.days.low * part), high: tenth(node.days.high * part) });
  const named = inline(node.name);
  const checks = node.acceptance.slice(0, 4);
  const settle: Piece[] =
    node.risk !== 'green' && node.riskReasons[0]
      ? [
          {
            key: 'risk-first',
            name: `Settle before building ${named}`,
            description: node.riskReasons[0],
            days: share(0.2),
            acceptance: ['A written decision says whether and how to go on'],
            after: [],
          },
        ]
      : [];
  const first: Piece = {
    key: 'first-slice',
    name: `Thinnest version of ${named}`,
    description: 'Works from end to end for one plain case and nothing else.',
    days: share(settle.length > 0 ? 0.4 : 0.5),
    acceptance: ['One plain case works from end to end and is covered by a test'],
    after: settle.map(({ key }) => key),
  };
  const rest = checks.map((check, at): Piece => ({
    key: `check-${at + 1}`,
    name: shorten(`Make sure: ${inline(check)}`, 110),
    description: `What ${named} still lacks for this to hold, and the test that shows it.`,
    days: share((settle.length > 0 ? 0.4 : 0.5) / checks.length),
    acceptance: [check],
    after: ['first-slice'],
  }));
  return [...settle, first, ...rest];
}

function clausesOf(description: string, label: string): string[] {
  const seen = new Set([label.toLowerCase()]);
  return collapseSpaces(description)
    .split(/\s*[.;:]\s+|,\s+(?:and\s+)?|\s+(?:and then|as well as)\s+/)
    .map((clause) => clause.replace(/^(?:and|then|also|which|that|so that)\s+/i, '').replace(/[\s.,;]+$/, ''))
    .filter((clause) => clause.split(' ').length >= 2 && !seen.has(clause.toLowerCase()) && seen.add(clause.toLowerCase()))
    .slice(0, MOST_CLAUSES);
}

const dropRepeats = (pieces: Piece[]): Piece[] => pieces.filter(({ key }, at) => pieces.findIndex((other) => other.key === key) === at);
const inline = (text: string): string => (/^\p{Lu}[\p{Lu}\d]|^\p{Lu}\p{Ll}*\p{Lu}/u.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1));
const tenth = (days: number): number => Math.max(0.1, Math.round(days * 10) / 10);
