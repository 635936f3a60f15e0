import { percentOf } from '../../../lib/text.ts';
import type { Axis, Chart } from '../document.ts';
import type { Colours } from './colours.ts';
import { dependencyMap } from './dependency-map.ts';
import { scatter } from './scatter.ts';

type Size = { width: number; height: number };

/** Pixels or points below which axes have their short titles. */
const NARROW = 480;

/** Points on their axes; `unnamed` are those whose names found no room. */
export function drawScatter(chart: Extract<Chart, { chart: 'scatter' }>, colours: Colours, size: Size): { svg: string; unnamed: string[] } {
  const axis = ({ title, short, max, unit }: Axis) => ({
    title: size.width < NARROW ? short : title,
    max,
    format: unit === 'share' ? percentOf : String,
  });
  return scatter({ about: chart.about, points: chart.points, x: axis(chart.x), y: axis(chart.y) }, colours, size);
}

export const drawDependencies = ({ about, parts }: Extract<Chart, { chart: 'dependencies' }>, colours: Colours): { svg: string; width: number } =>
  dependencyMap(
    about,
    parts.map(({ marked, ...part }) => ({ ...part, critical: marked })),
    colours,
  );
