import { randomUUID } from 'node:crypto';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { sampleArtifact, sources } from '../../../tests/cli/sample-artifact.ts';
import type { ResearchArtifact } from '#features/research';
import { citationMarks } from '#platform/rendering/in-words.ts';
import { markdownOf } from '#platform/rendering/markdown/markdown.ts';
import { displayWidth } from '#platform/rendering/terminal/display-width.ts';
import { terminalText, type Look } from '#platform/rendering/terminal/terminal.ts';
import { researchDocument } from './research-document.ts';

const markdownReport = (artifact: ResearchArtifact): string => markdownOf(researchDocument(artifact));
const terminalReport = (artifact: ResearchArtifact, look: Look): string => terminalText(researchDocument(artifact), look);
const headings = (markdown: string): string[] => [...markdown.matchAll(/^## (.+)$/gm)].map((match) => match[1] ?? '');

const HOSTILE =
  'a\u001B[31m red\u001B]8;;https://evil.example\u0007link\u001B]8;;\u0007\u0000\u009B2J\u202Edesrever <script>alert(1)</script> *b* `c` | d [e](javascript:f) [7]';

describe('the report in Markdown', () => {
  it('tells everything, in the order a founder reads it', () => {
    const markdown = markdownReport(sampleArtifact());
    expect(
      markdown.startsWith(
        '# Groomer Booking\n\n*Market research · Appointment booking*\n\nBooking for mobile dog groomers.\n\n**Test first, 62 of 100.** Worth a test.\n',
      ),
    ).toBe(true);
    expect(headings(markdown)).toEqual([
      'In short',
      'How 62 of 100 comes about',
      'Competitors',
      'Who has what',
      'The people in this market',
      'Gaps',
      'Further evidence against the idea',
      'Assumed, and supported by nothing yet',
      'Next steps',
      'What to build first',
      'How this was made',
      'Sources',
    ]);
    expect(markdown).toContain('| Room | 30 | 20 % | Why crowding stands where it does. [1] |');
    expect(markdown).toContain('**[Acme](https://acme.example/)** [1] (incumbent)');
    expect(markdown).toContain('Has: not recorded; Features: 1 known; Pricing: from $20 a month; Since: 2011');
    expect(markdown).toContain('Has it: Acme and Newco. [1]');
    expect(markdown).toContain('**Routes** (not recorded of anybody; asked for; 0 of 2)');
    expect(markdown).toContain('Tests: Groomers pay monthly.');
    expect(markdown).toContain('**What tells**: Six would pay.');
    expect(markdown).toContain('3. **[Groomers on the road](https://news.example/groomers)** (web page, 2026-03-04, confidence 80 %)');
    expect(markdown).toContain('by rules over the evidence, without a language model');
    expect(markdown).toContain('Left out: 1 citation of something that was not gathered.');
  });

  it('says once what speaks against the idea', () => {
    const { recommendation, evidence_against: against } = sampleArtifact();
    const markdown = markdownReport(sampleArtifact({ evidence_against: [...recommendation.reasons_against, ...against] }));
    expect(markdown.split('Acme is large.')).toHaveLength(2);
    expect(markdown).toContain('Groomers may not pay.');
  });

  it('leaves empty sections out', () => {
    const bare = sampleArtifact({
      incumbents: [],
      emerging: [],
      features: [],
      whitespaces: [],
      evidence_against: [],
      assumptions: [],
      next_steps: [],
      build_readiness: { phase_1: [], phase_2: [] },
      warnings: [],
    });
    expect(headings(markdownReport(bare))).toEqual(['How 62 of 100 comes about', 'The people in this market', 'How this was made', 'Sources']);
    const withoutNewcomers = markdownReport(sampleArtifact({ emerging: [] }));
    expect(withoutNewcomers).toContain('1 incumbent and 0 emerging players');
    expect(withoutNewcomers).not.toContain('(emerging)');
  });

  it('cites only sources that it lists, and none that a text made up', () => {
    const reasons = [{ text: 'As [2] and [1, 3] say.', evidence_ids: [randomUUID(), sources.article, sources.article] }];
    const artifact = sampleArtifact();
    const markdown = markdownReport({ ...artifact, recommendation: { ...artifact.recommendation, reasons_for: reasons } });
    expect(markdown).toContain('- As (2) and (1, 3) say. [3]\n');
    const cited = [...markdown.matchAll(/\[(\d+)\]/g)].map((match) => Number(match[1]));
    expect(cited.length).toBeGreaterThan(10);
    for (const number of cited) expect(number).toBeLessThanOrEqual(artifact.evidence.length);
  });

  it('lets nothing that came from outside act as markup', () => {
    const markdown = markdownReport(
      sampleArtifact({ short_title: HOSTILE, one_line_summary: '1. # not a list', warnings: ['# no heading', '- no item'] }),
    );
    expect(markdown).toContain('# a redlink');
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    expect(markdown).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202E]/);
    expect(markdown).toContain('\\<script\\>alert(1)\\</script\\> \\*b\\* \\`c\\` \\| d \\[e\\](javascript:f) (7)');
    expect(markdown).toContain('\n1\\. # not a list\n');
    expect(markdown).toContain('- \\# no heading\n- \\- no item\n');
  });

  it('links to http and https alone, and breaks out of no link', () => {
    const artifact = sampleArtifact();
    const [first] = artifact.evidence;
    const withUrl = (url: string) => markdownReport({ ...artifact, evidence: first ? [{ ...first, title: 'T', source_url: url }] : [] });
    expect(withUrl('javascript:alert(1)')).toContain('1. **T** (');
    expect(withUrl('research:123')).toContain('1. **T** (');
    expect(withUrl('https://a.example/x) [y](https://b.example')).toContain('[T](https://a.example/x%29%20[y]%28https://b.example)');
    expect(withUrl('https://user:secret@a.example/')).toContain('[T](https://a.example/)');
  });

  it('draws runs of citations together', () => {
    expect(citationMarks([])).toBe('');
    expect(citationMarks([1, 2, 4, 5, 6, 9])).toBe('[1] [2] [4]–[6] [9]');
  });
});

describe('the report for a terminal', () => {
  const long = sampleArtifact({
    one_line_summary: `${'word '.repeat(60)}${'x'.repeat(150)} 獣医のための予約と請求の仕組み、待ち時間を短くして売上を伸ばす`,
    short_title: HOSTILE,
  });

  it.each([30, 40, 72, 100, 250])('keeps to %i columns and never more than 100', (columns) => {
    const text = stripVTControlCharacters(terminalReport(long, { columns, colours: true }));
    const widest = Math.max(...text.split('\n').map(displayWidth));
    expect(widest).toBeLessThanOrEqual(Math.min(columns, 100));
    expect(widest).toBeGreaterThan(Math.min(columns, 100) - 12);
  });

  it('says the same with and without colours', () => {
    const plain = terminalReport(long, { columns: 80, colours: false });
    const painted = terminalReport(long, { columns: 80, colours: true });
    expect(plain).not.toContain('\u001B');
    expect(painted).toContain('\u001B[1m');
    expect(painted).not.toContain('\u001B]8');
    expect(stripVTControlCharacters(painted)).toBe(plain);
  });

  it('draws the five parts of the score as bars', () => {
    const plain = terminalReport(sampleArtifact(), { columns: 100, colours: false });
    expect(plain).toContain('Room        ██████░░░░░░░░░░░░░░   30 Why crowding stands where it does. [1]');
    expect(plain).toContain('Clarity     ████████████████████  100 Why');
  });
});
