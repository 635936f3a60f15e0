import { describe, expect, it } from 'vitest';
import { breakableText, drawnText, fontRuns, MISSING, turnedText } from './fonts.ts';
import { setLabels } from './set-labels.ts';

describe('signs that no font has', () => {
  it.each([
    ['plain, żółw, Ωμέγα, Жук, € → ✓ ◆', 'plain, żółw, Ωμέγα, Жук, € → ✓ ◆'],
    ['購物 list', `${MISSING}${MISSING} list`],
    ['a 👨‍👩‍👧‍👦 family in 🇩🇪', `a ${MISSING} family in ${MISSING}`],
    ['한글 ไทย', `${MISSING.repeat(2)} ${MISSING.repeat(3)}`],
    ['قائمة and רשימה', 'قائمة and רשימה'],
  ])('of "%s" are each one visible mark', (text, drawn) => {
    expect(drawnText(text)).toBe(drawn);
  });
});

describe('runs from right to left', () => {
  it('are one word as long as they are short, and lines of their own when they are long', () => {
    expect(turnedText('for תפוח ירוק now')).toBe('for תפוח\u00a0ירוק now');
    const long = 'تطبيق لقائمة التسوق المشتركة للعائلات الكبيرة';
    const lines = turnedText(long).split('\n');
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.join(' ').replaceAll('\u00a0', ' ')).toBe(long);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(28);
  });

  it('stay in one family, and leave what stands around them in the other', () => {
    expect(fontRuns('For תפוח ירוק now')).toEqual([
      { text: 'For ', font: 'Inter' },
      { text: 'תפוח\u00a0ירוק', font: 'Signs' },
      { text: ' now', font: 'Inter' },
    ]);
  });
});

describe('long words', () => {
  it('get places to break and lose nothing; others stay as they are', () => {
    const word = 'x'.repeat(200);
    expect(breakableText(`a ${word} b`).replaceAll('\u200b', '')).toBe(`a ${word} b`);
    expect(
      Math.max(
        ...breakableText(word)
          .split('\u200b')
          .map((part) => part.length),
      ),
    ).toBeLessThanOrEqual(12);
    expect(breakableText('https://site.example/a/path?of=usual&length=1')).not.toContain('\u200b');
  });
});

describe('labels of a picture', () => {
  it('are set in families that have their signs, and nothing else of it is touched', () => {
    const plain = '<svg><text x="1">A &amp; B</text></svg>';
    expect(setLabels(plain)).toBe(plain);
    expect(setLabels('<text x="1">A &amp; 購</text>')).toBe(
      `<text x="1"><tspan font-family="Inter">A &amp; </tspan><tspan font-family="Signs">${MISSING}</tspan></text>`,
    );
  });
});
