import type { Colours } from './colours.ts';
import { element, label, picture } from './svg.ts';
import { wrapText } from './text-width.ts';

export type Part = { id: string; title: string; note: string; needs: readonly string[]; critical: boolean };

const BOX = { width: 146, height: 50 };
const ACROSS = 26;
const MARGIN = 14;
const PER_ROW = 4;
const SIZE = 10;
/** Points between two lines that run side by side, and between the outermost and a box. */
const TRACK = 3.5;
const CLEAR = 9;
const CORNER = 4;

type Placed = Part & { row: number; column: number };
type Line = { need: Placed; part: Placed; critical: boolean };
type Point = { x: number; y: number };

/**
 * Parts in rows, each below what it needs, with lines between them; the chain that decides the end is drawn strong.
 * @param about what the picture shows, for those who do not see it
 */
export function dependencyMap(about: string, parts: readonly Part[], colours: Colours): { svg: string; width: number; height: number } {
  const rows = rowsOf(parts);
  const placed = place(rows);
  const lines = [...placed.values()]
    .flatMap((part) =>
      direct(part, placed).flatMap((id): Line[] => {
        const need = placed.get(id);
        return need ? [{ need, part, critical: need.critical && part.critical }] : [];
      }),
    )
    .sort((left, right) => Number(left.critical) - Number(right.critical));
  const streets = streetsOf(lines);
  const tops = topsOf(rows.length, streets);
  const width = 2 * MARGIN + PER_ROW * BOX.width + (PER_ROW - 1) * ACROSS;
  const height = (tops.at(-1) ?? 0) + BOX.height + 4;
  const drawn = lines.map((line) => lineOf(line, { streets, tops }, colours));
  return { svg: picture({ width, height }, about, ...drawn, ...[...placed.values()].map((part) => boxOf(part, tops, colours))), width, height };
}

/** What a part needs without what those already need; the steps of the longest chain stay, also where another way leads around. */
function direct(part: Placed, placed: ReadonlyMap<string, Placed>): string[] {
  const isCritical = (id: string): boolean => placed.get(id)?.critical === true;
  const implied = below(part, placed, () => true);
  const onChain = below(part, placed, isCritical);
  return part.needs.filter((id) => !implied.has(id) || (part.critical && isCritical(id) && !onChain.has(id)));
}

/** What the needs of a part need themselves, followed through those that `passes`. */
function below(part: Placed, placed: ReadonlyMap<string, Placed>, passes: (id: string) => boolean): Set<string> {
  const found = new Set<string>();
  const follow = (id: string): void => {
    for (const need of placed.get(id)?.needs ?? []) {
      if (found.has(need) || !passes(need)) continue;
      found.add(need);
      follow(need);
    }
  };
  part.needs.filter(passes).forEach(follow);
  return found;
}

/** Rows by how many parts have to be finished before; wide ones go on in the next row. */
function rowsOf(parts: readonly Part[]): Part[][] {
  const known = new Map(parts.map((part) => [part.id, part]));
  const levels = new Map<string, number>();
  const levelOf = (part: Part, above: ReadonlySet<string>): number => {
    const found = levels.get(part.id);
    if (found !== undefined) return found;
    const needs = part.needs.flatMap((id) => (above.has(id) ? [] : (known.get(id) ?? [])));
    const level = needs.length === 0 ? 0 : 1 + Math.max(...needs.map((need) => levelOf(need, new Set([...above, part.id]))));
    levels.set(part.id, level);
    return level;
  };
  const rows: Part[][] = [];
  for (const part of parts) (rows[levelOf(part, new Set([part.id]))] ??= []).push(part);
  return rows.flatMap((row) => Array.from({ length: Math.ceil(row.length / PER_ROW) }, (_, at) => row.slice(at * PER_ROW, (at + 1) * PER_ROW)));
}

/** Every row keeps to the same columns, so that lines find a way between them; a part stands near what it needs. */
function place(rows: readonly Part[][]): Map<string, Placed> {
  const placed = new Map<string, Placed>();
  for (const [row, parts] of rows.entries()) {
    const pull = ({ needs }: Part): number => {
      const above = needs.flatMap((id) => placed.get(id)?.column ?? []);
      return above.length > 0 ? above.reduce((sum, column) => sum + column, 0) / above.length : (PER_ROW - 1) / 2;
    };
    const first = Math.floor((PER_ROW - parts.length) / 2);
    for (const [at, part] of [...parts].sort((left, right) => pull(left) - pull(right)).entries())
      placed.set(part.id, { ...part, row, column: first + at });
  }
  return placed;
}

/** Who runs along which street: below a row (`r2`), and left of a column (`c1`). All lines of one part share its track. */
type Streets = ReadonlyMap<string, readonly string[]>;

function streetsOf(lines: readonly Line[]): Streets {
  const streets = new Map<string, string[]>();
  const take = (street: string, id: string): void => {
    const taken = streets.get(street) ?? [];
    if (!taken.includes(id)) streets.set(street, [...taken, id]);
  };
  for (const { need, part } of lines) {
    take(`r${need.row}`, need.id);
    if (!isLong(need, part)) continue;
    take(`c${passage(need, part)}`, need.id);
    take(`r${part.row - 1}`, need.id);
  }
  return streets;
}

/** Whether other rows lie between; what stands in the same row or above goes around as well. */
const isLong = (need: Placed, part: Placed): boolean => part.row !== need.row + 1;

/** The street beside the part's column that is nearer to where the line comes from. */
const passage = (need: Placed, part: Placed): number =>
  need.column < part.column ? part.column : part.column + (need.column === part.column ? 0 : 1);

/** Where each row begins: below a row there is room for every line that turns there. */
function topsOf(rows: number, streets: Streets): number[] {
  const tops = [2];
  for (let row = 1; row <= rows - 1; row += 1) {
    const tracks = streets.get(`r${row - 1}`)?.length ?? 0;
    tops.push((tops.at(-1) ?? 0) + BOX.height + 2 * CLEAR + Math.max(1, tracks) * TRACK);
  }
  return tops;
}

const leftOf = (column: number): number => MARGIN + column * (BOX.width + ACROSS);
const middleOf = ({ column }: Placed): number => leftOf(column) + BOX.width / 2;

function lineOf({ need, part, critical }: Line, { streets, tops }: { streets: Streets; tops: readonly number[] }, colours: Colours): string {
  const track = (street: string): number => Math.max(0, streets.get(street)?.indexOf(need.id) ?? 0);
  const turn = (row: number): number => (tops[row] ?? 0) + BOX.height + CLEAR + track(`r${row}`) * TRACK;
  const start = { x: middleOf(need), y: (tops[need.row] ?? 0) + BOX.height };
  const end = { x: middleOf(part), y: tops[part.row] ?? 0 };
  const points: Point[] = [start, { x: start.x, y: turn(need.row) }];
  if (isLong(need, part)) {
    const street = passage(need, part);
    const count = streets.get(`c${street}`)?.length ?? 1;
    const room = street === 0 || street === PER_ROW ? MARGIN : ACROSS;
    const centre = street === 0 ? MARGIN / 2 : street === PER_ROW ? leftOf(PER_ROW) - ACROSS + MARGIN / 2 : leftOf(street) - ACROSS / 2;
    const step = Math.min(TRACK, (room - 6) / Math.max(1, count));
    const x = centre + (track(`c${street}`) - (count - 1) / 2) * step;
    points.push({ x, y: turn(need.row) }, { x, y: turn(part.row - 1) }, { x: end.x, y: turn(part.row - 1) });
  } else points.push({ x: end.x, y: turn(need.row) });
  points.push(end);
  return element('path', {
    d: rounded(points),
    fill: 'none',
    stroke: critical ? colours.second : colours.muted,
    'stroke-width': critical ? 2.4 : 1,
    'stroke-opacity': critical ? 1 : 0.75,
  });
}

/** A path through points whose corners are rounded as far as there is room. */
function rounded(all: readonly Point[]): string {
  const points = all.filter((point, at) => at === 0 || point.x !== all[at - 1]?.x || point.y !== all[at - 1]?.y);
  const steps = points.map((point, at): string => {
    const [before, after] = [points[at - 1], points[at + 1]];
    if (!before) return `M${point.x} ${point.y}`;
    if (!after) return `L${point.x} ${point.y}`;
    const [near, far] = [towards(point, before), towards(point, after)];
    return `L${near.x} ${near.y}Q${point.x} ${point.y} ${far.x} ${far.y}`;
  });
  return steps.join('');
}

function towards(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const share = Math.min(CORNER, length / 2) / length;
  return { x: cents(from.x + (to.x - from.x) * share), y: cents(from.y + (to.y - from.y) * share) };
}

const cents = (value: number): number => Math.round(value * 100) / 100;

function boxOf({ column, row, title, note, critical }: Placed, tops: readonly number[], colours: Colours): string {
  const [x, y] = [leftOf(column), tops[row] ?? 0];
  const lines = wrapText(title, SIZE, BOX.width - 16, 2);
  const frame = { x, y, width: BOX.width, height: BOX.height, rx: 6, fill: colours.surface };
  return [
    element('rect', { ...frame, stroke: critical ? colours.second : colours.line, 'stroke-width': critical ? 2.2 : 1.2 }),
    ...lines.map((line, index) => label(x + 8, y + 15 + index * 12.5, line, { fill: colours.ink, size: SIZE, weight: 600 })),
    label(x + 8, y + BOX.height - 7, note, { fill: critical ? colours.second : colours.muted, size: 8.5 }),
  ].join('');
}
