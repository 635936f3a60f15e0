import { describe, expect, it } from 'vitest';
import { attachment } from './file.ts';

describe('the name of a file in a header', () => {
  it('is given plainly and in UTF-8', () => {
    expect(attachment('Café "Ω" plan.pdf')).toBe(`attachment; filename="Cafe  plan.pdf"; filename*=UTF-8''Caf%C3%A9%20%22%CE%A9%22%20plan.pdf`);
  });

  it('cannot end the header', () => {
    expect(attachment('a\r\nset-cookie: x=1')).not.toMatch(/[\r\n]/);
    expect(attachment('日本')).toContain('filename="file"');
  });
});
