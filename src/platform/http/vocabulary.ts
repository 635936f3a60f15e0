import { z } from 'zod';

/** A whole number in a query string. Anything else, or out of range, is an invalid value. */
export const wholeNumber = ({ standard, min, max }: { standard: number; min?: number; max?: number }) =>
  z
    .string()
    .default(String(standard))
    .transform((text, context) => {
      const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      const low = min ?? Number.MIN_SAFE_INTEGER;
      const high = max ?? Number.MAX_SAFE_INTEGER;
      if (value >= low && value <= high) return value;
      context.addIssue({ code: 'custom', message: `must be a whole number ${range(min, max)}`.trim() });
      return z.NEVER;
    })
    .meta({
      override: {
        type: 'integer',
        default: standard,
        ...(min === undefined ? {} : { minimum: min }),
        ...(max === undefined ? {} : { maximum: max }),
      },
    });

const range = (min?: number, max?: number): string => {
  if (max !== undefined) return `from ${min ?? 0} to ${max}`;
  return min === undefined ? '' : `of at least ${min}`;
};

export const flag = () =>
  z
    .enum(['true', 'false', '1', '0'])
    .default('false')
    .transform((text) => text === 'true' || text === '1')
    .meta({ override: { type: 'boolean', default: false } });

/** `limit` and `offset` of a list. */
export const paging = ({ standard, max }: { standard: number; max: number }) =>
  z.object({ limit: wholeNumber({ standard, min: 1, max }), offset: wholeNumber({ standard: 0, min: 0 }) });

export const idParam = <const N extends string>(name: N) => z.object({ [name]: z.uuid() } as { [K in N]: z.ZodUUID });

/** The envelope of most lists. */
export const listEnvelope = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), limit: z.int(), offset: z.int(), has_more: z.boolean() });

/** An instant on the wire: ISO 8601 in UTC; columns come as Date. */
export const Timestamp = z
  .union([z.date(), z.iso.datetime()])
  .transform((value) => (value instanceof Date ? value.toISOString() : value))
  .meta({ override: { type: 'string', format: 'date-time' } });

/** Rows of one page from `limit + 1` read ones. */
export const pageOf = <T>(rows: readonly T[], { limit, offset }: { limit: number; offset: number }) => ({
  items: rows.slice(0, limit),
  limit,
  offset,
  has_more: rows.length > limit,
});
