import { LIGHT, type Colours } from '#platform/rendering/charts/colours.ts';
import { scoreDialShapes } from '#platform/rendering/charts/score.ts';
import { element, label, picture } from '#platform/rendering/charts/svg.ts';
import { wrapText } from '#platform/rendering/charts/text-width.ts';
import { kickerOf, type Document } from '#platform/rendering/document.ts';

export const SHARE_IMAGE = { width: 1200, height: 630 };

const COLOURS: Colours = LIGHT;
const LEFT = 80;

/** The picture that goes with a link to a document when it is sent: 1200 × 630, light, readable when small. */
export function shareImage(document: Document): string {
  const { title, score, facts } = document;
  const room = score ? 640 : 1000;
  const titles = wrapText(title, 68, room, 2);
  const top = 204;
  const lines = wrapText(document.subtitle || document.summary, 30, room, 4);
  const below = top + titles.length * 78 - 20;
  return picture(
    SHARE_IMAGE,
    title,
    element('rect', { x: 0, y: 0, ...SHARE_IMAGE, fill: COLOURS.surface }),
    element('rect', { x: 0, y: 0, width: 16, height: SHARE_IMAGE.height, fill: COLOURS.accent }),
    label(LEFT, 112, wrapText(kickerOf(document), 28, room, 1).join(''), { fill: COLOURS.muted, size: 28 }),
    ...titles.map((line, index) => label(LEFT, top + index * 78, line, { fill: COLOURS.ink, size: 68, weight: 600 })),
    ...lines.map((line, index) => label(LEFT, below + index * 42, line, { fill: COLOURS.ink, size: 30 })),
    ...(score ? [scorePanel(score)] : []),
    element('path', { d: `M${LEFT} 500H1120`, stroke: COLOURS.line, 'stroke-width': 2 }),
    ...facts
      .slice(0, 3)
      .flatMap(({ value, label: name }, index) => [
        label(LEFT + index * 230, 556, value, { fill: COLOURS.ink, size: 36, weight: 600 }),
        label(LEFT + index * 230, 588, name, { fill: COLOURS.muted, size: 22 }),
      ]),
    label(1120, 588, 'Groundwork', { fill: COLOURS.accent, size: 30, weight: 600, anchor: 'end' }),
  );
}

const scorePanel = ({ value, word, grade }: NonNullable<Document['score']>): string =>
  element(
    'g',
    { transform: 'translate(770 110)' },
    scoreDialShapes(value, grade, COLOURS, 350),
    ...wrapText(word, 32, 350, 2).map((line, index) =>
      label(175, 256 + index * 40, line, { fill: COLOURS[grade], size: 32, weight: 600, anchor: 'middle' }),
    ),
  );
