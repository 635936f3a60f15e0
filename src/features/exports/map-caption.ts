import type { DrawnMap } from '#features/report-parts';

/** What the marks of a printed map mean, and whom it shows without a name. */
export function mapCaption({ unnamed }: DrawnMap): string {
  const left = unnamed.length > 0 ? ` Without room for their names: ${unnamed.join(', ')}.` : '';
  return `● incumbent, ◇ emerging. The further right, the more of the idea a product covers; the higher, the more of the market’s features it is known to have.${left}`;
}
