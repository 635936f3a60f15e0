import { unavailable } from '#lib/errors.ts';
import { sha256 } from '#lib/ids.ts';
import type { Needs } from '#platform/context.ts';
import { PrintFailed } from '#platform/rendering/pdf/open-printer.ts';
import { SHARE_IMAGE, shareImage } from './share-image.ts';
import { findShared } from './shared-document.ts';

const KEPT = 64;
const drawn = new Map<string, Uint8Array>();

/**
 * The picture of what a token shares, as PNG; the last ones drawn are kept.
 * @throws AppError 503 when it cannot be drawn now
 */
export async function findShareImage(ctx: Needs<'db' | 'printer'>, token: string): Promise<Uint8Array | null> {
  const shared = await findShared(ctx, token);
  return shared && draw(ctx, shareImage(shared.document()));
}

async function draw({ printer }: Needs<'printer'>, svg: string): Promise<Uint8Array> {
  const key = sha256(svg);
  const known = drawn.get(key);
  if (known) return known;
  try {
    const png = await printer.png(svg, SHARE_IMAGE.width);
    if (drawn.size >= KEPT) for (const oldest of drawn.keys()) if (drawn.size >= KEPT) drawn.delete(oldest);
    drawn.set(key, png);
    return png;
  } catch (error) {
    if (error instanceof PrintFailed) throw unavailable('The picture cannot be drawn now', 10);
    throw error;
  }
}
