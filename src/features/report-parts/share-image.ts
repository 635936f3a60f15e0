import { LIGHT, type Colours, type Role } from '#platform/ports/charts/colours.ts';
import { scoreDialShapes } from '#platform/ports/charts/score.ts';
import { element, label, picture } from '#platform/ports/charts/svg.ts';
import { wrapText } from '#platform/ports/charts/text-width.ts';

export const SHARE_IMAGE = { width: 1200, height: 630 };

export type Card = {
  kicker: string;
  title: string;
  text: string;
  /** With a word for what it means. */
  score?: { value: number; word: string; role: Role };
  facts: readonly { value: string; name: string }[];
};

const COLOURS: Colours = LIGHT;
const LEFT = 80;

/** The picture that goes with a link when it is sent: 1200 × 630, light, readable when small. */
export function shareImage({ kicker, title, text, score, facts }: Card): string {
  const room = score ? 640 : 1000;
  const titles = wrapText(title, 68, room, 2);
  const top = 204;
  const lines = wrapText(text, 30, room, titles.length > 1 ? 3 : 4);
  const below = top + titles.length * 78 - 20;
  return picture(
    SHARE_IMAGE,
    title,
    element('rect', { x: 0, y: 0, ...SHARE_IMAGE, fill: COLOURS.surface }),
    element('rect', { x: 0, y: 0, width: 16, height: SHARE_IMAGE.height, fill: COLOURS.accent }),
    label(LEFT, 112, wrapText(kicker, 28, room, 1).join(''), { fill: COLOURS.muted, size: 28 }),
    ...titles.map((line, index) => label(LEFT, top + index * 78, line, { fill: COLOURS.ink, size: 68, weight: 600 })),
    ...lines.map((line, index) => label(LEFT, below + index * 42, line, { fill: COLOURS.ink, size: 30 })),
    ...(score ? [scorePanel(score)] : []),
    element('path', { d: `M${LEFT} 500H1120`, stroke: COLOURS.line, 'stroke-width': 2 }),
    ...facts
      .slice(0, 3)
      .flatMap(({ value, name }, index) => [
        label(LEFT + index * 230, 556, value, { fill: COLOURS.ink, size: 36, weight: 600 }),
        label(LEFT + index * 230, 588, name, { fill: COLOURS.muted, size: 22 }),
      ]),
    label(1120, 588, 'Groundwork', { fill: COLOURS.accent, size: 30, weight: 600, anchor: 'end' }),
  );
}

const scorePanel = ({ value, word, role }: { value: number; word: string; role: Role }): string =>
  element(
    'g',
    { transform: 'translate(770 110)' },
    scoreDialShapes(value, role, COLOURS, 350),
    ...wrapText(word, 32, 350, 2).map((line, index) =>
      label(175, 256 + index * 40, line, { fill: COLOURS[role], size: 32, weight: 600, anchor: 'middle' }),
    ),
  );
