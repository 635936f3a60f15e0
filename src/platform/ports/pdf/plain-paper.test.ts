import { describe, expect, it } from 'vitest';
import { fontRuns } from './fonts.ts';
import { plainPaper } from './plain-paper.ts';

describe('a paper as plain text', () => {
  const text = plainPaper({
    kind: 'Plan',
    title: 'A title',
    subtitle: 'What it is about',
    language: 'en',
    facts: [{ label: 'Status', value: 'ready' }],
    sections: [
      {
        heading: 'One',
        blocks: [
          {
            kind: 'outline',
            items: [
              { depth: 0, title: '1 Root', text: 'About it', tags: ['2 days'] },
              { depth: 1, title: '1.1 Child', text: '', tags: [], marked: true },
            ],
          },
          {
            kind: 'table',
            columns: [
              { title: 'Name', width: 'rest' },
              { title: 'Why', width: 'fit' },
            ],
            rows: [['Acme', 'cheap'].map((cell) => [cell])],
          },
          { kind: 'picture', svg: '<svg/>', width: 10, alternative: 'A picture of two things' },
        ],
      },
      { heading: 'Two', blocks: [{ kind: 'sources', items: [{ anchor: 'a', spans: [{ text: 'Acme', link: 'https://acme.example/' }] }] }] },
    ],
    imprint: 'Made today',
    createdAt: new Date(0),
  });

  it('keeps order, indentation, tables and addresses, and says what pictures show', () => {
    expect(text.indexOf('One')).toBeLessThan(text.indexOf('Two'));
    expect(text).toContain('\n- 1 Root (2 days)\n  About it\n  - 1.1 Child *');
    expect(text).toContain('- Name: Acme; Why: cheap');
    expect(text).toContain('A picture of two things');
    expect(text).toContain('[1] Acme <https://acme.example/>');
    expect(text).not.toContain('<svg');
  });
});

describe('runs of one font', () => {
  it('takes signs that the text font lacks from the other', () => {
    expect(fontRuns('Tea ☕ Ελλάς')).toEqual([
      { text: 'Tea ', font: 'Inter' },
      { text: '☕ ', font: 'Signs' },
      { text: 'Ελλάς', font: 'Inter' },
    ]);
    expect(fontRuns('')).toEqual([]);
  });
});
