import type { MultipartFields, MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { AppError, malformed, tooLarge, unsupported } from '../../lib/errors.ts';
import { type FileRule, type HeldFile, holdFile } from './uploaded-file.ts';

/** The parts of an upload: its files by field, and its other fields as texts. */
export type Upload = { files: Map<string, HeldFile>; fields: Map<string, string> };

const MOST_FIELDS = 50;
/** Bytes of the texts beside the files. */
const LONGEST_FIELD = 64 * 1024;
/** Bytes of headers and boundaries, per part. */
const PART_OVERHEAD = 2048;

/**
 * Reads a multipart body part by part into `upload`, which holds what was read so far also when this throws.
 * @throws AppError `unsupported` for another body or a file of another type, `too_large`, and `malformed` for a file or
 * field that is missing, not asked for or there twice, and for a body that is cut short
 */
export async function readUpload(request: FastifyRequest, rules: Readonly<Record<string, FileRule>>, upload: Upload): Promise<void> {
  if (!request.isMultipart()) throw unsupported('The body must be multipart/form-data');
  refuseTooLong(request, rules);
  try {
    for await (const part of request.parts({ limits: limitsOf(rules) })) await take(part, rules, upload);
  } catch (error) {
    throw refusalOf(error);
  } finally {
    // What is still to come is for nobody.
    request.raw.unpipe();
  }
  const missing = Object.keys(rules).find((name) => !rules[name]?.optional && !upload.files.has(name));
  if (missing) throw malformed(`${missing}: required`);
}

const limitsOf = (rules: Readonly<Record<string, FileRule>>) => ({
  files: Object.keys(rules).length,
  fields: MOST_FIELDS,
  fieldSize: LONGEST_FIELD,
  fieldNameSize: 200,
  headerPairs: 20,
  // Cut one byte later than files are refused, so that they are refused in our words.
  fileSize: Math.max(0, ...Object.values(rules).map(({ maxBytes }) => maxBytes)) + 1,
});

/** What says itself that it is too long need not be read. */
function refuseTooLong({ headers }: FastifyRequest, rules: Readonly<Record<string, FileRule>>): void {
  const sizes = Object.values(rules).map(({ maxBytes }) => maxBytes + PART_OVERHEAD);
  const most = sizes.reduce((sum, size) => sum + size, MOST_FIELDS * (LONGEST_FIELD + PART_OVERHEAD));
  if (Number(headers['content-length'] ?? 0) > most) throw tooLarge('The body is too large');
}

type Part = MultipartFile | { type: 'field'; fieldname: string; value: unknown; valueTruncated: boolean; fields: MultipartFields };

async function take(part: Part, rules: Readonly<Record<string, FileRule>>, { files, fields }: Upload): Promise<void> {
  const name = part.fieldname;
  if (files.has(name) || fields.has(name)) throw malformed(`${name}: only once`);
  if (part.type === 'field') return void fields.set(name, textOf(part));
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
  if (!rule) throw malformed(`${name}: no such file is asked for`);
  files.set(name, await holdFile(name, part.filename ?? '', part.file, rule));
}

function textOf({ fieldname, value, valueTruncated }: Part & { type: 'field' }): string {
  if (valueTruncated) throw tooLarge(`${fieldname}: at most ${LONGEST_FIELD} bytes`);
  if (typeof value !== 'string') throw malformed(`${fieldname}: must be a text`);
  return value;
}

/** The parser's own words are for who wrote it. */
function refusalOf(error: unknown): unknown {
  if (error instanceof AppError) return error;
  const { statusCode, syscall } = (error ?? {}) as { statusCode?: unknown; syscall?: unknown };
  // The disk failed, not the client.
  if (typeof syscall === 'string') return error;
  if (statusCode === 413) return tooLarge('The body has too many parts');
  return malformed('The multipart body is malformed or not whole');
}
