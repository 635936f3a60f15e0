import { arc } from 'd3-shape';
import { roleOfScore, type Colours, type Role } from './colours.ts';
import { element, label, picture } from './svg.ts';

const QUARTER = Math.PI / 2;

/** A score of 0 to 100 as the part of a half circle that it fills. @param width of the picture; it is six tenths as high */
export function scoreDial(score: number, role: Role, colours: Colours, width: number): string {
  const height = width * 0.6;
  return picture({ width, height }, null, scoreDialShapes(score, role, colours, width));
}

/** The same without a frame, to be put into another picture. */
export function scoreDialShapes(score: number, role: Role, colours: Colours, width: number): string {
  const radius = width * 0.47;
  const whole = { innerRadius: radius * 0.78, outerRadius: radius, cornerRadius: radius * 0.08 };
  const draw = arc<{ from: number; to: number }>()
    .innerRadius(whole.innerRadius)
    .outerRadius(whole.outerRadius)
    .cornerRadius(whole.cornerRadius)
    .startAngle(({ from }) => from)
    .endAngle(({ to }) => to);
  const share = Math.max(0, Math.min(100, score)) / 100;
  const centre = `translate(${width / 2} ${width * 0.52})`;
  return [
    element('path', { d: draw({ from: -QUARTER, to: QUARTER }) ?? '', fill: colours.line, transform: centre }),
    share > 0
      ? element('path', { d: draw({ from: -QUARTER, to: -QUARTER + 2 * QUARTER * share }) ?? '', fill: colours[role], transform: centre })
      : '',
    label(width / 2, width * 0.46, String(Math.round(score)), { fill: colours.ink, size: width * 0.24, weight: 700, anchor: 'middle' }),
    label(width / 2, width * 0.555, 'of 100', { fill: colours.muted, size: width * 0.075, anchor: 'middle' }),
  ].join('');
}

/** A score of 0 to 100 as a bar. */
export function scoreBar(score: number, colours: Colours, size: { width: number; height: number }): string {
  const filled = (Math.max(0, Math.min(100, score)) / 100) * size.width;
  const round = { rx: size.height / 2, height: size.height, x: 0, y: 0 };
  return picture(
    size,
    null,
    element('rect', { ...round, width: size.width, fill: colours.line }),
    filled > 0 ? element('rect', { ...round, width: Math.max(size.height, filled), fill: colours[roleOfScore(score)] }) : '',
  );
}
