import { z } from 'zod';
import { forbidden, notFound } from '#lib/errors.ts';
import type { Actor } from '#platform/actor.ts';
import { everyone } from '#platform/http/guards/everyone.ts';
import type { Guard } from '#platform/http/guards/guard.ts';
import { optional } from '#platform/http/guards/optional.ts';
import { perIp, perPrincipal, perUser } from '#platform/http/route-limits.ts';
import { fileRoute } from '#platform/http/shapes/file.ts';
import { route } from '#platform/http/shapes/json.ts';
import { pageRoute } from '#platform/http/shapes/page.ts';
import { uploadRoute } from '#platform/http/shapes/upload.ts';
import { pageOf, paging } from '#platform/http/vocabulary.ts';
import { castVote } from './cast-vote.ts';
import { checkOwner, clipUrlOf, getClip } from './find-clip.ts';
import { keepRecording, putClip, removeClip } from './operate-clips.ts';
import { CLIP_CACHE, clipPage, thanksPage } from './page/clip-page.ts';
import { findAudio, playClip } from './play-clip.ts';
import { rangeOf } from './range.ts';
import { listRoasts } from './roast-store.ts';
import { Ballot, CastVote, ClipPage, Comments, KeptRecording, OperatedClip, Playable, PutClip, Roasted, Roasts, SentToMe, Voted } from './schema.ts';
import { sendClip } from './send-clip.ts';
import { signAudio } from './sign-audio.ts';
import { AUDIO_TYPES, takeRoast } from './take-roast.ts';
import { listComments } from './vote-store.ts';

const Slug = z.object({ slug: z.string().min(1).max(200) });
/** Whoever votes from a page votes within the same count as whoever calls the interface. */
const VOTES = { ...perPrincipal(30, 'hour'), bucket: 'POST /clip/{slug}/vote', ofAddress: 2000 };
const ROASTS = { ...perPrincipal(5, 'hour'), ofAddress: 100 };
const ROAST_BYTES = 2 * 1024 * 1024;

export const clipRoutes = [
  pageRoute({
    path: '/clip/{slug}',
    summary: 'A public page of blocks, as a page or as JSON',
    description: 'Carries an ETag; answers 304 to `If-None-Match`.',
    errors: [502],
    params: Slug,
    limit: perIp(30),
    responses: { 200: ClipPage },
    async show({ ctx, params }) {
      const clip = await getClip(ctx, params.slug);
      const page = clipPage(clip, { url: clipUrlOf(ctx, clip.slug), blobOrigin: ctx.blobs.origin });
      return { json: clip, html: () => page.html, headers: page.headers, tagged: true };
    },
  }),
  route({
    method: 'GET',
    path: '/clip/{slug}/playable',
    summary: 'The sessions of a page, with addresses that play for 5 minutes',
    errors: [502],
    guard: everyone,
    params: Slug,
    limit: perIp(30),
    responses: { 200: Playable },
    async handle({ ctx, params }, reply) {
      const playable = await playClip(ctx, params.slug);
      return reply(200, playable, { 'cache-control': playable.signed_urls_wired ? CLIP_CACHE : 'no-cache' });
    },
  }),
  route({
    method: 'POST',
    path: '/clips/{slug}/send-to-me',
    summary: "Text the caller's own number a link to a page",
    errors: [400, 502],
    params: Slug,
    limit: perUser(10, 'hour'),
    responses: { 200: SentToMe },
    async handle({ ctx, principal, params }, reply) {
      return reply(200, { ok: true, slug: params.slug, to: await sendClip(ctx, principal, params.slug) });
    },
  }),
  route({
    method: 'POST',
    path: '/clip/{slug}/vote',
    summary: 'Vote on the project of a page',
    description:
      'A principal has one vote on a project, or on a page that belongs to none; the last one counts. From one address 2000 are taken an hour, whoever casts them.',
    errors: [502],
    guard: optional,
    params: Slug,
    limit: VOTES,
    body: CastVote,
    responses: { 200: Voted },
    async handle({ ctx, params, body, principalKey, earlierPrincipalKeys }, reply) {
      const voter = { voter: principalKey(), earlierNames: earlierPrincipalKeys() };
      return reply(200, await castVote(ctx, { slug: params.slug, ...voter, ...body, comment: body.comment }));
    },
  }),
  uploadRoute({
    path: '/clip/{slug}/roast',
    summary: 'Send spoken criticism of a page',
    description: 'From one address 100 are taken an hour, whoever sends them.',
    errors: [409, 502],
    guard: optional,
    params: Slug,
    limit: ROASTS,
    files: { audio: { maxBytes: ROAST_BYTES, types: AUDIO_TYPES } },
    responses: { 200: Roasted },
    page: ({ ack_message: message }, { ctx, params }) => thanksPage(message, clipUrlOf(ctx, params.slug)),
    async handle({ ctx, params, files }, reply) {
      return reply(200, { ok: true, ack_message: await takeRoast(ctx, params.slug, files.audio) });
    },
  }),
];

/** Beside the interface: what pages need that have no script, what their owners see, and where files of blobs are had. */
export const clipExtensionRoutes = [
  uploadRoute({
    path: '/clip/{slug}/ballot',
    summary: 'Vote with the form of a page',
    errors: [403, 502],
    guard: optional,
    params: Slug,
    limit: VOTES,
    files: {},
    body: Ballot,
    responses: { 200: Voted },
    page: (voted, { ctx, params }) => thanksPage(voted.ack_message, clipUrlOf(ctx, params.slug), voted),
    async handle({ ctx, params, body, headers, principalKey, earlierPrincipalKeys }, reply) {
      // Any page of the web can send a form in its reader's name; browsers say where it stands.
      if (headers['sec-fetch-site'] === 'cross-site') throw forbidden('Votes are cast on the page itself');
      const voter = { voter: principalKey(), earlierNames: earlierPrincipalKeys() };
      return reply(200, await castVote(ctx, { slug: params.slug, ...voter, ...body, comment: body.comment }));
    },
  }),
  fileRoute({
    path: '/clip/{slug}/audio/{place}',
    summary: 'Leads to a recording of a page',
    guard: everyone,
    params: Slug.extend({ place: z.string().regex(/^\d{1,3}(-\d{1,3})?$/) }),
    produces: ['audio/*'],
    limit: perIp(120),
    async handle({ ctx, params }) {
      const location = await findAudio(ctx, params.slug, params.place);
      return { bytes: '', contentType: 'text/plain', status: 302, headers: { location, 'cache-control': 'no-store' } };
    },
  }),
  fileRoute({
    path: '/blobs/{name}',
    summary: 'The file of a signed address',
    guard: everyone,
    params: z.object({ name: z.string().regex(/^[\w-]{1,700}$/) }),
    query: z.object({
      expires: z
        .string()
        .regex(/^\d{1,12}$/)
        .transform(Number),
      signature: z.string().regex(/^[0-9a-f]{64}$/),
    }),
    produces: ['audio/*', 'video/*', 'application/octet-stream'],
    limit: perIp(600),
    async handle({ ctx, params, query, headers }) {
      const key = Buffer.from(params.name, 'base64url').toString();
      const blob = await ctx.blobs.open?.({ key, ...query });
      if (!blob) throw notFound('File');
      const part = rangeOf(headers.range, blob.bytes.length);
      const shared = {
        contentType: blob.contentType,
        fileName: key.split('/').at(-1) ?? 'file',
        headers: {
          'accept-ranges': 'bytes',
          'cache-control': 'private, max-age=300',
          'x-content-type-options': 'nosniff',
          'content-security-policy': 'sandbox',
        },
      };
      if (!part) return { ...shared, bytes: blob.bytes };
      const range = `bytes ${part.from}-${part.to}/${blob.bytes.length}`;
      return { ...shared, bytes: blob.bytes.subarray(part.from, part.to + 1), status: 206, headers: { ...shared.headers, 'content-range': range } };
    },
  }),
  route({
    method: 'GET',
    path: '/clip/{slug}/roasts',
    summary: "Roasts of one's own page, the latest first",
    errors: [502],
    params: Slug,
    query: paging({ standard: 20, max: 100 }),
    responses: { 200: Roasts },
    async handle({ ctx, principal, params, query }, reply) {
      await checkOwner(ctx, principal.userId, params.slug);
      const { items, ...page } = pageOf(await listRoasts(ctx.db, params.slug, query), query);
      const shown = items.map(async ({ id, sent_at, content_type, bytes, blob_key: key }) => ({
        id,
        sent_at,
        content_type,
        size: bytes,
        audio_url: await signAudio(ctx, key),
      }));
      return reply(200, { items: await Promise.all(shown), ...page }, { 'cache-control': 'no-store' });
    },
  }),
  route({
    method: 'GET',
    path: '/clip/{slug}/comments',
    summary: "What voters wrote on one's own page, the latest first",
    errors: [502],
    params: Slug,
    query: paging({ standard: 20, max: 100 }),
    responses: { 200: Comments },
    async handle({ ctx, principal, params, query }, reply) {
      await checkOwner(ctx, principal.userId, params.slug);
      const { items, ...page } = pageOf(await listComments(ctx.db, params.slug, query), query);
      return reply(200, { items, ...page });
    },
  }),
];

const SESSION_BYTES = 50 * 1024 * 1024;
const OPERATED = perIp(60);

/** How the operator of an installation writes pages and keeps recordings for them. @param guard lets the operator in and nobody else */
export const clipOperatorRoutes = (guard: Guard<Actor>) => [
  route({
    method: 'PUT',
    path: '/admin/clips/{slug}',
    summary: 'Write a page, or put it in the place of the one that is there',
    guard,
    client: 'operators',
    errors: [502],
    limit: OPERATED,
    params: z.object({ slug: z.string().regex(/^[a-z0-9][a-z0-9-]{0,199}$/) }),
    body: PutClip,
    responses: { 200: OperatedClip },
    async handle({ ctx, params, body }, reply) {
      return reply(200, await putClip(ctx, { ...body, slug: params.slug }));
    },
  }),
  route({
    method: 'DELETE',
    path: '/admin/clips/{slug}',
    summary: 'Remove a page, with what was said of it',
    guard,
    client: 'operators',
    errors: [502],
    limit: OPERATED,
    params: Slug,
    responses: { 204: z.null() },
    async handle({ ctx, params }, reply) {
      await removeClip(ctx, params.slug);
      return reply(204, null);
    },
  }),
  uploadRoute({
    path: '/admin/recordings',
    summary: 'Keep a recording; its key goes into the sessions of pages',
    guard,
    client: 'operators',
    errors: [502],
    limit: OPERATED,
    files: { audio: { maxBytes: SESSION_BYTES, types: AUDIO_TYPES } },
    responses: { 201: KeptRecording },
    async handle({ ctx, files }, reply) {
      return reply(201, { key: await keepRecording(ctx, files.audio), content_type: files.audio.type, size: files.audio.size });
    },
  }),
];
