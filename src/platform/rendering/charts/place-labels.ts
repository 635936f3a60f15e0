import { textWidth } from './text-width.ts';

export type Mark = { x: number; y: number; radius: number; label: string };
export type Placed = { x: number; y: number; leader: boolean };
type Box = { left: number; right: number; top: number; bottom: number };

const GAP = 4;

/**
 * Where the names of marks stand so that nothing covers anything: beside its mark where there is room, else a little
 * away with a leader line. Earlier marks choose first; null where no place is free.
 * @param area what names must stay inside
 */
export function placeLabels(marks: readonly Mark[], size: number, area: Box): (Placed | null)[] {
  const taken: Box[] = marks.map(({ x, y, radius }) => ({ left: x - radius, right: x + radius, top: y - radius, bottom: y + radius }));
  return marks.map((mark, index) => {
    const width = textWidth(mark.label, size);
    for (const place of candidates(mark, width, size)) {
      const box = { left: place.x - 1, right: place.x + width + 1, top: place.y - size * 0.82, bottom: place.y + size * 0.28 };
      if (!isInside(box, area) || taken.some((other, at) => at !== index && overlaps(box, other))) continue;
      taken.push(box);
      return place;
    }
    return null;
  });
}

function* candidates({ x, y, radius }: Mark, width: number, size: number): Generator<Placed> {
  const middle = y + size * 0.34;
  const right = x + radius + GAP;
  const left = x - radius - GAP - width;
  yield { x: right, y: middle, leader: false };
  yield { x: left, y: middle, leader: false };
  yield { x: x - width / 2, y: y - radius - GAP, leader: false };
  yield { x: x - width / 2, y: y + radius + GAP + size * 0.7, leader: false };
  for (const step of [1, 2, 3]) {
    const away = step * (size + 3);
    for (const at of [middle - away, middle + away]) {
      yield { x: right + 6, y: at, leader: true };
      yield { x: left - 6, y: at, leader: true };
    }
  }
}

const isInside = (box: Box, area: Box): boolean =>
  box.left >= area.left && box.right <= area.right && box.top >= area.top && box.bottom <= area.bottom;

const overlaps = (one: Box, other: Box): boolean =>
  one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;
