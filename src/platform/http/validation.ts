import type { z } from 'zod';
import { AppError, invalid, malformed } from '../../lib/errors.ts';
import { mapTexts } from '../../lib/map-texts.ts';
import type { Declared } from './declared.ts';

type Part = 'path' | 'query' | 'body';

/**
 * Checks one part of a request.
 *
 * The one place of the rule: what is missing or has the wrong JSON type is malformed (400); what is there but out of
 * range, too long, not in the list or not a UUID is invalid (422). A declaration may say otherwise for its body.
 * @throws AppError `malformed` or `invalid`, naming the field
 */
export function check<T extends z.ZodType>(schema: T, value: unknown, part: Part, declared: Pick<Declared, 'bodyErrors'> = {}): z.output<T> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return wellFormed(result.data);
  const issue = result.error.issues[0];
  if (!issue) throw malformed(`invalid ${part}`);
  const override = part === 'body' ? declared.bodyErrors : undefined;
  if (override?.detail && (issue.input === undefined || issue.input === '')) throw new AppError(override.status, override.detail);
  const detail = describe(issue, part);
  const kind = override?.status ?? (isMalformed(issue, part) ? 'malformed' : 'invalid');
  throw kind === 'malformed' ? malformed(detail) : invalid(detail);
}

/**
 * A request's texts as they can be stored: half a character, as whoever cuts an emoji sends it, becomes U+FFFD.
 * @throws AppError `invalid` for the character NUL, which nobody means
 */
const wellFormed = <T>(data: T): T =>
  mapTexts(data, (text) => {
    if (text.includes('\0')) throw invalid('A text holds a character that cannot be stored');
    return text.toWellFormed();
  });

type Issue = z.core.$ZodIssue & { input?: unknown };

function isMalformed(issue: Issue, part: Part): boolean {
  if (part === 'path') return false;
  if (issue.code === 'unrecognized_keys') return false;
  const missing = issue.input === undefined;
  if (part === 'query') return missing;
  if (missing) return true;
  // One of several texts was expected, and it is no text.
  if (issue.code === 'invalid_value') return typeof issue.input !== 'string';
  // A number, but not a whole one.
  if (issue.code === 'invalid_type' && issue.expected === 'int' && typeof issue.input === 'number') return false;
  return issue.code === 'invalid_type' || (issue.code === 'invalid_union' && typeof issue.input === 'object');
}

function describe(issue: Issue, part: Part): string {
  const where = issue.path.length > 0 ? issue.path.join('.') : part;
  if (issue.input === undefined && issue.path.length > 0) return `${where}: required`;
  return `${where}: ${issue.message}`;
}
