import { z } from 'zod';
import { notFound } from '#lib/errors.ts';
import { SharedBrief } from '#features/briefs';
import { ResearchArtifact } from '#features/research';
import { everyone } from '#platform/http/guards/everyone.ts';
import { perIp } from '#platform/http/route-limits.ts';
import { fileRoute } from '#platform/http/shapes/file.ts';
import { pageRoute } from '#platform/http/shapes/page.ts';
import { htmlPage, PAGE_HEADERS } from '#platform/rendering/html/page.ts';
import { findShareImage } from './find-share-image.ts';
import { SHARE_IMAGE } from './share-image.ts';
import { findShared } from './shared-document.ts';

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
      const shared = await findShared(ctx, params.share_token);
      if (!shared) throw notFound('Shared page');
      const url = `${ctx.config.http.baseUrl}/share/${encodeURIComponent(params.share_token)}`;
      const html = () => htmlPage(shared.document(), { url, image: { url: `${url}/og.png`, ...SHARE_IMAGE } });
      return { json: shared.json, html, headers: { ...PAGE_HEADERS } };
    },
  }),
];

/** Beside the interface: the picture that a shared page names for those who send it on. */
export const shareImageRoutes = [
  fileRoute({
    path: '/share/{share_token}/og.png',
    summary: `Picture of a shared page, ${SHARE_IMAGE.width} by ${SHARE_IMAGE.height}`,
    guard: everyone,
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
