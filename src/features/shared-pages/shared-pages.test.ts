import { createHash } from 'node:crypto';
import { parseHTML } from 'linkedom';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type Called, type TestUser } from '#testing/app.ts';
import { newIdea } from '#testing/factories.ts';
import { marketArtifact } from '#testing/market-artifact.ts';
import { readNdjson } from '#testing/read-ndjson.ts';
import { htmlPage } from '#platform/rendering/html/page.ts';
import { researchDocument, type ReportedResearch } from '#features/reports';
import { SHARE_IMAGE } from './share-image.ts';

const researchPage = (artifact: ReportedResearch, url: string): string =>
  htmlPage(researchDocument(artifact), { url, image: { url: `${url}/og.png`, ...SHARE_IMAGE } });

const app = await startTestApp();
afterAll(() => app.dispose());

let user: TestUser;
let token: string;
let jobId: string;
let page: Called;

const open = (path: string, headers: Record<string, string> = {}): Promise<Called> => user.call('GET', path, undefined, headers);

beforeAll(async () => {
  user = await app.user();
  jobId = String((await user.call('POST', '/research', { idea: newIdea() })).body['job_id']);
  await readNdjson(`${app.url}/research/${jobId}/events`, user.token);
  token = String((await user.call('POST', `/research/${jobId}/share`)).body['share_token']);
  page = await open(`/share/${token}`);
});

describe('the page of a research', () => {
  it('allows its own style and nothing else', () => {
    const policy = String(page.headers['content-security-policy']);
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(page.text) ?? [];
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    expect(policy).not.toContain('unsafe');
    expect(page.text).not.toMatch(/<script|\sstyle=|\son\w+=|<(img|iframe|object|link rel="stylesheet")/i);
  });

  it('has its headings in order and every citation leads somewhere', () => {
    const { document } = parseHTML(page.text);
    const levels = [...document.querySelectorAll('h1, h2, h3, h4')].map((heading) => Number(heading.tagName.slice(1)));
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    for (const [index, level] of levels.entries()) expect(level - (levels[index - 1] ?? 0)).toBeLessThanOrEqual(1);
    const places = [...document.querySelectorAll('a[href^="#"]')].map((link) => link.getAttribute('href')?.slice(1) ?? '');
    expect(places.length).toBeGreaterThan(30);
    for (const place of new Set(places)) expect(document.getElementById(place), place).not.toBeNull();
    const ids = [...document.querySelectorAll('[id]')].map((element) => element.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('shows map, matrix, score, gaps, doubts, assumptions, steps and sources', () => {
    const { document } = parseHTML(page.text);
    for (const part of ['score', 'rivals', 'features', 'gaps', 'assumptions', 'steps', 'sources'])
      expect(document.getElementById(part), part).not.toBeNull();
    expect(document.querySelector('svg[role="img"]')?.getAttribute('aria-label')).toMatch(/^Map of \d+ products/);
    expect(document.querySelectorAll('table.matrix th[scope="row"]').length).toBeGreaterThan(5);
    expect(page.text).not.toMatch(/undefined|NaN|\[object/);
  });

  it('says what speaks against it once', () => {
    const { document } = parseHTML(page.text);
    const said = [...document.querySelectorAll('[aria-labelledby="score"] li, [aria-labelledby="against"] li')].map((item) => item.textContent);
    expect(said.length).toBeGreaterThan(3);
    expect(new Set(said).size).toBe(said.length);
  });

  it('names a picture of 1200 by 630 that is there for anyone, and gone with the share', async () => {
    const address = /property="og:image" content="([^"]+)"/.exec(page.text)?.[1] ?? '';
    expect(new URL(address).pathname).toBe(`/share/${token}/og.png`);
    const picture = await fetch(`${app.url}/share/${token}/og.png`);
    const bytes = Buffer.from(await picture.arrayBuffer());
    expect(picture.headers.get('content-type')).toBe('image/png');
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);
    await user.call('DELETE', `/research/${jobId}/share`);
    expect((await fetch(`${app.url}/share/${token}/og.png`)).status).toBe(404);
    expect((await open(`/share/${token}`)).status).toBe(404);
  });

  it('stands in no list of routes beside what the interface names', async () => {
    const { routes } = (await open('/status', { accept: 'application/json' })).body as unknown as { routes: { path: string }[] };
    expect(routes.map(({ path }) => path)).toContain('/share/{share_token}');
    expect(routes.some(({ path }) => path.includes('og.png'))).toBe(false);
  });
});

describe('the page of a brief', () => {
  it('is there once the brief is ready, as page and as JSON, with a picture', async () => {
    const projectId = String((await user.call('POST', '/projects', { title: newIdea(), description: '' })).body['id']);
    const started = await user.call('POST', '/research', { idea: newIdea(), project_id: projectId });
    await readNdjson(`${app.url}/research/${String(started.body['job_id'])}/events`, user.token);
    const created = await user.call('POST', '/briefs', { project_id: projectId, research_id: started.body['job_id'] });
    const briefId = String(created.body['brief_id']);
    await readNdjson(`${app.url}/briefs/${briefId}/events`, user.token);
    const brief = await user.call('GET', `/briefs/${briefId}`);
    const path = `/share/${String(brief.body['share_token'])}`;
    const shown = await open(path);
    expect(shown.status, shown.text).toBe(200);
    const { document } = parseHTML(shown.text);
    expect(document.querySelector('#market_map')).not.toBeNull();
    // Every product by its name, with what it is strong at below it.
    const products = [...document.querySelectorAll('.cards.long > li')];
    expect(products.length).toBe(((brief.body['incumbents'] ?? []) as unknown[]).length + ((brief.body['emerging'] ?? []) as unknown[]).length);
    expect(products.every((product) => product.querySelector('h3')?.textContent?.trim())).toBe(true);
    expect(products.some((product) => product.querySelector('h4')?.textContent === 'Strong at')).toBe(true);
    expect(document.querySelector('meta[property="og:title"]')?.getAttribute('content')).toContain('market brief');
    for (const link of document.querySelectorAll('a[href^="#"]'))
      expect(document.getElementById(link.getAttribute('href')?.slice(1) ?? '')).not.toBeNull();
    expect((await open(path, { accept: 'application/json' })).body).toMatchObject({ type: 'brief' });
    expect((await open(`${path}/og.png`)).status).toBe(200);
  });
});

describe('what came from outside', () => {
  const evil = '</style></script><script>alert(1)</script>"\'><img src=x onerror=alert(2)>\u202Egnp.exe\u2066\u0000';
  const base = marketArtifact();
  const artifact = marketArtifact({
    short_title: evil,
    product_idea: evil,
    product_category: evil,
    one_line_summary: evil,
    incumbents: base.incumbents.map((rival) => ({
      ...rival,
      name: evil,
      description: evil,
      pricing: evil,
      funding: evil,
      url: 'javascript:alert(1)',
    })),
    features: base.features.map((feature) => ({ ...feature, name: evil, description: evil })),
    evidence: base.evidence.map((row) => ({
      ...row,
      title: evil,
      snippet: evil,
      source_url: 'https://user:secret@site.example/"><script>alert(3)</script>',
    })),
    warnings: [evil],
  });
  const html = researchPage(artifact, 'https://service.example/share/token');

  it('is shown, never run', () => {
    const { document } = parseHTML(html);
    expect(document.querySelectorAll('script, img, iframe')).toHaveLength(0);
    expect(document.querySelectorAll('style')).toHaveLength(1);
    for (const element of document.querySelectorAll('*')) {
      for (const { name } of element.attributes) expect(name).not.toMatch(/^on/i);
    }
    expect(document.querySelector('h1')?.textContent).toContain('<script>alert(1)</script>');
  });

  it('links only addresses of the web, without credentials, and turns no direction', () => {
    expect(html).not.toMatch(/javascript:|secret@/i);
    expect(html.includes('\u0000')).toBe(false);
    expect(html).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  });

  it('is shortened at the top and whole further down when an idea fills pages', () => {
    const idea = `A list. ${'word '.repeat(900)}${'x'.repeat(5000)} قائمة 購物`;
    const { document } = parseHTML(researchPage(marketArtifact({ product_idea: idea }), 'https://service.example/share/token'));
    expect(document.querySelector('.lead')?.textContent?.length).toBeLessThanOrEqual(500);
    expect([...document.querySelectorAll('p')].some(({ textContent }) => textContent === idea)).toBe(true);
  });

  it('may be missing altogether', () => {
    const bare = researchPage(
      marketArtifact({
        incumbents: [],
        emerging: [],
        features: [],
        whitespaces: [],
        evidence_against: [],
        assumptions: [],
        next_steps: [],
        evidence: [],
      }),
      'https://service.example/share/token',
    );
    expect(bare).not.toMatch(/undefined|NaN|Infinity/);
    expect(parseHTML(bare).document.querySelector('#rivals')).toBeNull();
  });
});
