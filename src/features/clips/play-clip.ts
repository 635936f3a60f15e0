import { notFound } from '#lib/errors.ts';
import type { Needs } from '#platform/context.ts';
import { blocksOf } from './blocks.ts';
import { getClip } from './find-clip.ts';
import type { Playable } from './schema.ts';
import { audioAddress } from './sign-audio.ts';

/**
 * The sessions of a page with addresses that play; a key that cannot be signed stays as it is.
 * @throws AppError 404 when there is no page or no session in it, 502 when the content store fails
 */
export async function playClip(ctx: Needs<'db' | 'content' | 'blobs' | 'log'>, slug: string): Promise<Playable> {
  const page = await getClip(ctx, slug);
  const blocks = blocksOf(page.blocks, 'sessionReplay');
  if (blocks.length === 0) throw notFound('Session');
  let isEachSigned = true;
  const playableUrl = async (audio: string | null): Promise<string | null> => {
    if (audio === null) return null;
    const address = await audioAddress(ctx, audio);
    isEachSigned &&= address !== null;
    return address ?? audio;
  };
  const sessions = await Promise.all(
    blocks.map(async (block) => ({
      audio_url: await playableUrl(block.audio_key),
      transcript_segments: block.transcript_segments,
      advisors: await Promise.all(
        block.advisors.map(async ({ persona, text, audio_key: audio, voice_id }) => ({
          persona,
          text,
          audio_url: await playableUrl(audio),
          voice_id,
        })),
      ),
      research_summary: block.research_summary,
      referrer_device_id: block.referrer_device_id,
      cta: block.cta,
    })),
  );
  return { slug, title: page.title, description: page.description, sessions, signed_urls_wired: isEachSigned };
}

/**
 * Where a recording of a page is heard now; without its origin where that is this service, by whichever name it was
 * reached. @param place number of the session, and of an advisor in it: `0`, `0-1`
 * @throws AppError 404 when there is none or it cannot be signed, 502 when the content store fails
 */
export async function findAudio(ctx: Needs<'db' | 'content' | 'blobs' | 'config' | 'log'>, slug: string, place: string): Promise<string> {
  const [session = 0, advisor] = place.split('-').map(Number);
  const block = blocksOf((await getClip(ctx, slug)).blocks, 'sessionReplay')[session];
  const audio = advisor === undefined ? block?.audio_key : block?.advisors[advisor]?.audio_key;
  const address = audio ? await audioAddress(ctx, audio) : null;
  if (address === null) throw notFound('Recording');
  const url = new URL(address);
  return url.origin === new URL(ctx.config.http.baseUrl).origin ? url.pathname + url.search : address;
}
