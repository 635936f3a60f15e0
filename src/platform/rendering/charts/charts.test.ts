import { describe, expect, it } from 'vitest';
import { LIGHT, PAGE } from './colours.ts';
import { dependencyMap } from './dependency-map.ts';
import { placeLabels } from './place-labels.ts';
import type { Point } from '../document.ts';
import { scatter } from './scatter.ts';
import { scoreBar, scoreDial } from './score.ts';
import { fitText, textWidth, wrapText } from './text-width.ts';

const axes = { x: { title: 'across', max: 1, format: String }, y: { title: 'up', max: 10, format: String } };

describe('the names of marks', () => {
  const area = { left: 0, right: 400, top: 0, bottom: 300 };
  const marks = Array.from({ length: 30 }, (_, index) => ({
    x: 40 + (index % 5) * 70,
    y: 40 + Math.floor(index / 5) * 36,
    radius: 6,
    label: `Product ${index}`,
  }));

  it('cover neither each other nor a mark, and stay inside', () => {
    const boxes = placeLabels(marks, 12, area).flatMap((place, index) =>
      place ? [{ left: place.x, right: place.x + textWidth(marks[index]?.label ?? '', 12), top: place.y - 9, bottom: place.y + 3 }] : [],
    );
    expect(boxes.length).toBeGreaterThan(10);
    for (const [index, one] of boxes.entries()) {
      expect(one.left).toBeGreaterThanOrEqual(area.left);
      expect(one.right).toBeLessThanOrEqual(area.right);
      for (const other of boxes.slice(index + 1)) {
        const apart = one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top;
        expect(apart).toBe(true);
      }
    }
  });
});

describe('points on two axes', () => {
  it('names those without room for their names instead of dropping them', () => {
    const points: Point[] = Array.from({ length: 40 }, (_, index) => ({ label: `A rather long name ${index}`, x: 0.5, y: 5, group: 'first' }));
    const { svg, unnamed } = scatter({ about: 'many', points, ...axes }, LIGHT, { width: 360, height: 300 });
    const named = points.filter(({ label }) => !unnamed.includes(label));
    expect(unnamed.length + named.length).toBe(40);
    expect(named.length).toBeGreaterThan(2);
    expect(svg.match(/<path[^>]*transform="translate/g)).toHaveLength(40);
  });

  it('escapes names and turns no direction', () => {
    const points: Point[] = [{ label: '</text><script>"\u202Eevil\u0000', x: 0.1, y: 1, group: 'second' }];
    const { svg } = scatter({ about: '"><script>', points, ...axes }, PAGE, { width: 600, height: 300 });
    expect(svg.includes('\u0000')).toBe(false);
    expect(svg).not.toMatch(/<script|\u202e|style=/i);
    expect(svg).toContain('&lt;/text&gt;');
  });
});

describe('scores', () => {
  it('fill nothing at 0 and stay inside at any number', () => {
    expect(scoreBar(0, LIGHT, { width: 100, height: 8 }).match(/<rect/g)).toHaveLength(1);
    expect(scoreBar(140, LIGHT, { width: 100, height: 8 })).toContain('width="100" fill="#19703a"');
    expect(scoreDial(-5, 'poor', LIGHT, 200).match(/<path/g)).toHaveLength(1);
    expect(scoreDial(55, 'fair', LIGHT, 200)).not.toMatch(/NaN|undefined/);
  });
});

describe('parts and what they need', () => {
  const part = (id: string, needs: string[], critical = false) => ({ id, title: `Part ${id}`, note: '2 days', needs, critical });
  const heightOf = (svg: string, title: string): number => Number(new RegExp(`y="([\\d.]+)"[^>]*>${title}<`).exec(svg)?.[1]);

  it('stand below what they need, the longest chain drawn strong', () => {
    const { svg } = dependencyMap('order', [part('a', [], true), part('b', ['a'], true), part('c', ['a']), part('d', ['b', 'c'], true)], LIGHT);
    expect(heightOf(svg, 'Part a')).toBeLessThan(heightOf(svg, 'Part b'));
    expect(heightOf(svg, 'Part b')).toBeLessThan(heightOf(svg, 'Part d'));
    expect(svg.match(/stroke-width="2.4"/g)).toHaveLength(2);
  });

  it('draw no line behind a box that it does not lead to, however dense', () => {
    const ids = Array.from({ length: 18 }, (_, index) => `p${index}`);
    const parts = ids.map((id, index) =>
      part(
        id,
        ids.slice(0, index).filter((_, at) => (index * 7 + at * 5) % 3 === 0),
        index % 4 === 0,
      ),
    );
    const { svg, width } = dependencyMap('dense', parts, LIGHT);
    const boxes = [...svg.matchAll(/<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/g)].map(([, ...numbers]) =>
      numbers.map(Number),
    );
    expect(boxes).toHaveLength(18);
    const paths = [...svg.matchAll(/<path d="([^"]+)"/g)].map(([, path = '']) =>
      [...path.matchAll(/([\d.]+) ([\d.]+)/g)].map(([, x, y]) => ({ x: Number(x), y: Number(y) })),
    );
    expect(paths.length).toBeGreaterThan(15);
    for (const points of paths) {
      for (const [at, to] of points.slice(1).entries()) {
        const from = points[at] ?? to;
        expect(Math.max(from.x, to.x)).toBeLessThanOrEqual(width);
        for (const [left = 0, top = 0, across = 0, down = 0] of boxes) {
          const apart =
            Math.max(from.x, to.x) <= left ||
            Math.min(from.x, to.x) >= left + across ||
            Math.max(from.y, to.y) <= top ||
            Math.min(from.y, to.y) >= top + down;
          expect(apart).toBe(true);
        }
      }
    }
  });

  it('comes to an end with parts that need each other, and with none', () => {
    expect(dependencyMap('circle', [part('a', ['b']), part('b', ['a'])], LIGHT).svg).toContain('Part b');
    expect(dependencyMap('nothing', [], LIGHT).height).toBeGreaterThan(0);
  });
});

describe('lines of text', () => {
  it('wrap at words and end in an ellipsis when something is left', () => {
    expect(wrapText('one two three four five six', 10, 60, 2)).toHaveLength(2);
    expect(wrapText('one two three four five six', 10, 60, 2).at(-1)).toMatch(/…$/);
    expect(textWidth(fitText('W'.repeat(200), 10, 90), 10)).toBeLessThanOrEqual(90);
    expect(wrapText('', 10, 60, 2)).toEqual(['']);
  });
});
