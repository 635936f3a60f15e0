import { scaleLinear, type ScaleLinear } from 'd3-scale';
import { symbol, symbolCircle, symbolDiamond } from 'd3-shape';
import type { Point } from '../document.ts';
import type { Colours } from './colours.ts';
import { placeLabels } from './place-labels.ts';
import { element, label, picture } from './svg.ts';
import { fitText, textWidth } from './text-width.ts';

export type Scatter = {
  /** What the picture shows, for those who do not see it. */
  about: string;
  /** Those that matter most come first: they get their names first. */
  points: readonly Point[];
  x: { title: string; max: number; format(value: number): string };
  y: { title: string; max: number; format(value: number): string };
};

const MARGIN = { top: 30, right: 18, bottom: 44, left: 34 };
const SIZE = 12;
const RADIUS = 5.5;

type Scales = { across: ScaleLinear<number, number>; up: ScaleLinear<number, number>; width: number; height: number };

/** Points on two axes, each with its name as far as there is room. */
export function scatter(
  { about, points, x, y }: Scatter,
  colours: Colours,
  size: { width: number; height: number },
): { svg: string; unnamed: string[] } {
  const { width, height } = size;
  const across = scaleLinear([0, x.max], [MARGIN.left + RADIUS * 2, width - MARGIN.right - RADIUS * 2]);
  const up = scaleLinear([0, Math.max(1, y.max)], [height - MARGIN.bottom, MARGIN.top + RADIUS * 2]);
  const scales = { across, up, width, height };
  const marks = dodge(points.map((point) => ({ ...point, px: across(point.x), py: up(point.y) })));
  const names = marks.map((mark) => ({ x: mark.px, y: mark.py, radius: RADIUS + 1.5, label: fitText(mark.label, SIZE, width * 0.36) }));
  const places = placeLabels(names, SIZE, { left: MARGIN.left, right: width - 2, top: MARGIN.top - 8, bottom: height - MARGIN.bottom + 2 });
  const texts = places.map((place, index) => {
    const mark = names[index];
    if (!place || !mark) return '';
    const leader = place.leader
      ? element('path', {
          d: `M${mark.x} ${mark.y}L${place.x > mark.x ? place.x - 2 : mark.x - 14} ${place.y - 4}`,
          stroke: colours.muted,
          'stroke-width': 0.8,
        })
      : '';
    const ground = { x: place.x - 1, y: place.y - SIZE * 0.8, width: textWidth(mark.label, SIZE) + 2, height: SIZE * 1.1, fill: colours.surface };
    return leader + element('rect', ground) + label(place.x, place.y, mark.label, { fill: colours.ink, size: SIZE });
  });
  const shapes = marks.map((mark) => shape(mark, colours));
  return {
    svg: picture(size, about, ...frame({ x, y }, scales, colours), ...texts, ...shapes),
    unnamed: marks.filter((_mark, index) => !places[index]).map((mark) => mark.label),
  };
}

/** Marks at the same place stand side by side. */
function dodge<T extends { px: number; py: number }>(marks: readonly T[]): T[] {
  const seen = new Map<string, number>();
  return marks.map((mark) => {
    const key = `${Math.round(mark.px / 4)} ${Math.round(mark.py / 4)}`;
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    const step = Math.ceil(before / 2) * (before % 2 === 1 ? -1 : 1);
    return { ...mark, px: mark.px + step * RADIUS * 2.3 };
  });
}

function shape({ px, py, group }: { px: number; py: number; group: Point['group'] }, colours: Colours): string {
  const isFirst = group === 'first';
  const path = symbol(isFirst ? symbolCircle : symbolDiamond, isFirst ? Math.PI * RADIUS ** 2 : RADIUS ** 2 * 2.9)() ?? '';
  const paint = isFirst ? { fill: colours.accent, stroke: colours.surface } : { fill: colours.surface, stroke: colours.second };
  return element('path', { d: path, transform: `translate(${px.toFixed(1)} ${py.toFixed(1)})`, ...paint, 'stroke-width': isFirst ? 1 : 2 });
}

function frame({ x, y }: Pick<Scatter, 'x' | 'y'>, { across, up, width, height }: Scales, colours: Colours): string[] {
  const quiet = { fill: colours.muted, size: 11 };
  const bottom = height - MARGIN.bottom;
  const wholes = up.ticks(5).filter((value) => Number.isInteger(value));
  return [
    ...wholes.flatMap((value) => [
      element('path', { d: `M${MARGIN.left} ${up(value)}H${width - MARGIN.right}`, stroke: colours.line, 'stroke-width': 1 }),
      label(MARGIN.left - 6, up(value) + 4, y.format(value), { ...quiet, anchor: 'end' }),
    ]),
    ...across
      .ticks(5)
      .flatMap((value) => [
        element('path', { d: `M${across(value)} ${bottom}v5`, stroke: colours.muted, 'stroke-width': 1 }),
        label(across(value), bottom + 18, x.format(value), { ...quiet, anchor: 'middle' }),
      ]),
    label(4, 13, `↑ ${y.title}`, { ...quiet, weight: 600 }),
    label(width - MARGIN.right + 12, height - 8, `${x.title} →`, { ...quiet, weight: 600, anchor: 'end' }),
  ];
}
