import { z } from 'zod';
import { notFound } from '#lib/errors.ts';
import { findSharedBrief, SharedBrief } from '#features/briefs';
import { findSharedResearch, ResearchArtifact } from '#features/research';
import { SHARE_IMAGE } from '#features/report-parts';
import { fileRoute } from '#platform/http/file-route.ts';
import { pageRoute } from '#platform/http/page-route.ts';
import { perIp } from '#platform/http/route.ts';
import { briefPage } from './brief-page.ts';
import { findShareImage } from './find-share-image.ts';
import { PAGE_HEADERS } from './layout.ts';
import { researchPage } from './research-page.ts';

const ShareToken = z.object({ share_token: z.string().min(1).max(200) });

/** What anyone may see: the artifact without what it cost. */
const SharedResearch = ResearchArtifact.omit({ usage: true, job_id: true, id: true }).extend({ type: z.literal('research') });

export const sharedPageRoutes = [
  pageRoute({
    path: '/share/{share_token}',
    summary: 'A shared research or brief, as a page or as JSON',
    params: ShareToken,
    limit: perIp(30),
    responses: { 200: z.discriminatedUnion('type', [SharedResearch, SharedBrief]) },
    async show({ ctx, params }) {
      const token = params.share_token;
      const url = `${ctx.config.http.baseUrl}/share/${encodeURIComponent(token)}`;
      const headers = { ...PAGE_HEADERS };
      const artifact = await findSharedResearch(ctx, token);
      if (artifact) return { json: { type: 'research', ...artifact }, html: () => researchPage(artifact, url), headers };
      const brief = await findSharedBrief(ctx, token);
      if (!brief) throw notFound('Shared page');
      return { json: brief, html: () => briefPage(brief, url), headers };
    },
  }),
];

/** Beside the interface: the picture that a shared page names for those who send it on. */
export const shareImageRoutes = [
  fileRoute({
    path: '/share/{share_token}/og.png',
    summary: `Picture of a shared page, ${SHARE_IMAGE.width} by ${SHARE_IMAGE.height}`,
    auth: 'public',
    params: ShareToken,
    produces: ['image/png'],
    limit: perIp(30),
    async handle({ ctx, params }) {
      const bytes = await findShareImage(ctx, params.share_token);
      if (!bytes) throw notFound('Shared page');
      return { bytes, contentType: 'image/png', headers: { 'cache-control': 'public, max-age=3600' } };
    },
  }),
];
