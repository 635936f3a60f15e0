import { z } from 'zod';

/** What lifts a stored object of one version to the next; a list stands under `list`. */
type Upcast = (stored: Record<string, unknown>) => Record<string, unknown>;

/** What lifts each version before today's to the next, by version. */
export type Upcasts = Readonly<Record<number, Upcast>>;

/** A kind of object or list that is stored as JSON, in whatever version it was written. */
export type Document<T> = {
  name: string;
  /** The version that is written now, from 1. */
  version: number;
  /** The JSON text to store: the object with its version under `v`, a list as `list` beside it. */
  write(value: T): string;
  /**
   * The object in today's shape, without its version. What carries no version is of the first one.
   * @throws DocumentError when a newer program wrote it, or when it is not of its shape
   */
  read(stored: unknown): T;
  /** The same, checked whatever its version. */
  check(stored: unknown): T;
};

/** A stored object cannot be read; the message names the document and the place. */
export class DocumentError extends Error {
  override name = 'DocumentError';
}

type Options = {
  version: number;
  /** By version: `1` lifts the first to the second; one for every version before today's. */
  upcasts?: Upcasts;
  /** What reading holds against the schema: everything, or, where documents are large, only what was lifted. */
  checks?: 'all' | 'older';
};

/** Declares what a stored object looks like today, and how each older version becomes the next one. */
export function defineDocument<T>(name: string, schema: z.ZodType<T>, { version, upcasts = {}, checks = 'all' }: Options): Document<T> {
  for (let old = 1; old < version; old += 1) if (!upcasts[old]) throw new Error(`document ${name}: nothing lifts version ${old}`);
  const isList = schema instanceof z.ZodArray;
  const lift = ({ found, content }: Found): unknown => {
    let lifted = content;
    for (let old = found; old < version; old += 1) lifted = upcasts[old]?.(lifted) ?? lifted;
    return isList ? lifted['list'] : lifted;
  };
  const checked = (of: Found): T => {
    const read = schema.safeParse(lift(of));
    if (read.success) return read.data;
    const [issue] = read.error.issues;
    const place = issue?.path.join('.') || 'whole';
    throw new DocumentError(`${name}, version ${of.found}: ${place}: ${issue?.message ?? 'not of its shape'}`, { cause: read.error });
  };
  const open = (stored: unknown): Found => found(isList ? listed(stored) : stored, { name, version });
  return {
    name,
    version,
    write: (value) => JSON.stringify(isList ? { v: version, list: value } : { v: version, ...value }),
    read: (stored) => {
      const of = open(stored);
      return checks === 'older' && of.found === version ? (lift(of) as T) : checked(of);
    },
    check: (stored) => checked(open(stored)),
  };
}

type Found = { found: number; content: Record<string, unknown> };

/** A list of the first version was stored bare. */
const listed = (stored: unknown): unknown => {
  const value = parsed(stored);
  return Array.isArray(value) ? { list: value } : value;
};

function found(stored: unknown, { name, version }: { name: string; version: number }): Found {
  const { v = 1, ...content } = recordOf(stored, name);
  if (typeof v !== 'number' || !Number.isInteger(v) || v < 1) throw new DocumentError(`${name}: ${JSON.stringify(v)} is no version`);
  if (v > version) throw new DocumentError(`${name}: version ${v} was written by a newer program; this one reads up to ${version}`);
  return { found: v, content };
}

const parsed = (stored: unknown): unknown => (typeof stored === 'string' ? JSON.parse(stored) : stored);

function recordOf(stored: unknown, name: string): Record<string, unknown> {
  const value = parsed(stored);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new DocumentError(`${name}: expected an object`);
  return value as Record<string, unknown>;
}
