import { describe, expect, it } from 'vitest';
import { PageRefused } from './port.ts';
import { FetchFailed, FetchRefused, type FetchAnswer } from '../guarded-fetch/port.ts';
import { openRobots } from './robots.ts';

const signal = new AbortController().signal;

const answered = (status: number, text = ''): FetchAnswer => ({
  status,
  notModified: false,
  validators: {},
  header: () => undefined,
  url: new URL('https://site.test/robots.txt'),
  body: Buffer.from(text),
});

/** Rules that come from one answer, and how often it was asked for. */
function rulesFrom(give: () => FetchAnswer) {
  const asked: string[] = [];
  let time = 0;
  const robots = openRobots(
    async (url) => {
      asked.push(url.href);
      return give();
    },
    () => time,
  );
  return { asked, pass: (ms: number) => (time += ms), check: (address: string) => robots.check(new URL(address), signal) };
}

describe('robots.txt', () => {
  it('is kept to: the own group before the general one, the longest rule first', async () => {
    const text = 'User-agent: *\nDisallow: /\n\nUser-agent: GroundworkBot\nDisallow: /private # no\nAllow: /private/open\nDisallow: /*.cgi$\n';
    const { check } = rulesFrom(() => answered(200, text));
    await expect(check('https://site.test/')).resolves.toBeUndefined();
    await expect(check('https://site.test/private/x')).rejects.toThrow(PageRefused);
    await expect(check('https://site.test/private/open/x')).resolves.toBeUndefined();
    await expect(check('https://site.test/a.cgi')).rejects.toThrow('robots.txt of site.test forbids');
    await expect(check('https://site.test/a.cgi?x')).resolves.toBeUndefined();
  });

  it.each([400, 401, 403, 404, 410, 429])('%i means that everything is allowed', async (status) => {
    await expect(rulesFrom(() => answered(status)).check('https://site.test/x')).resolves.toBeUndefined();
  });

  it.each([500, 502, 503])('%i means that nothing is', async (status) => {
    await expect(rulesFrom(() => answered(status)).check('https://site.test/x')).rejects.toThrow('cannot be had');
  });

  it('that cannot be reached forbids, and says why', async () => {
    const fail = (): never => {
      throw new FetchFailed('network', 'site.test could not be reached: the connection was refused.');
    };
    await expect(rulesFrom(fail).check('https://site.test/x')).rejects.toThrow(
      'The robots.txt of site.test cannot be had (site.test could not be reached: the connection was refused), so its pages are left alone.',
    );
  });

  it('behind a refused address refuses for that reason', async () => {
    const refuse = (): never => {
      throw new FetchRefused('site.test leads to an address that is not public.');
    };
    const outcome = await rulesFrom(refuse)
      .check('https://site.test/x')
      .catch((error: unknown) => error);
    expect(outcome).toMatchObject({ name: 'PageRefused', outcome: 'refused_address', message: 'site.test leads to an address that is not public.' });
  });

  it('is asked once per origin and hour', async () => {
    const rules = rulesFrom(() => answered(200, ''));
    await Promise.all([rules.check('https://site.test/a'), rules.check('https://site.test/b')]);
    await rules.check('http://site.test/a');
    await rules.check('https://site.test:8443/a');
    expect(rules.asked).toEqual(['https://site.test/robots.txt', 'http://site.test/robots.txt', 'https://site.test:8443/robots.txt']);
    rules.pass(3_599_000);
    await rules.check('https://site.test/c');
    expect(rules.asked).toHaveLength(3);
    rules.pass(2000);
    await rules.check('https://site.test/c');
    expect(rules.asked).toHaveLength(4);
  });

  it('that could not be had is asked for again after a minute', async () => {
    let status = 503;
    const rules = rulesFrom(() => answered(status));
    await expect(rules.check('https://site.test/')).rejects.toThrow('cannot be had');
    status = 404;
    await expect(rules.check('https://site.test/')).rejects.toThrow('cannot be had');
    rules.pass(61_000);
    await expect(rules.check('https://site.test/')).resolves.toBeUndefined();
    expect(rules.asked).toHaveLength(2);
  });

  it('of 500 origins is kept, the least used one leaves first', async () => {
    const rules = rulesFrom(() => answered(404));
    for (let n = 0; n < 500; n += 1) await rules.check(`https://site${n}.test/`);
    await rules.check('https://site0.test/');
    await rules.check('https://one-more.test/');
    expect(rules.asked).toHaveLength(501);
    await rules.check('https://site0.test/');
    expect(rules.asked).toHaveLength(501);
    await rules.check('https://site1.test/');
    expect(rules.asked).toHaveLength(502);
  });

  it('does not hold up who gives up waiting', async () => {
    const robots = openRobots(() => new Promise(() => undefined));
    const control = new AbortController();
    const waiting = robots.check(new URL('https://site.test/'), control.signal);
    control.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });

  it('made to be slow is matched in time, and forbids rather more than it says', async () => {
    const hostile = `User-agent: *\n${`Disallow: /x${'*a'.repeat(230)}b\n`.repeat(1000)}Disallow: *zzz${'*y'.repeat(300)}\n`;
    const { check } = rulesFrom(() => answered(200, hostile));
    const started = performance.now();
    await expect(check(`https://site.test/x${'a'.repeat(1900)}`)).rejects.toThrow('forbids');
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
