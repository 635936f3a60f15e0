import { messageOf } from '../../lib/errors.ts';

/**
 * Why a server cannot be reached, as the rest of a sentence about its setting; null when something answered there.
 * @param place host and port, without credentials
 */
export function whyUnreachable(error: unknown, place: string): string | null {
  const { code } = (error ?? {}) as { code?: unknown };
  switch (code) {
    case 'ECONNREFUSED':
    case 'ENOENT':
      return `names ${place}, where nothing listens`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `names ${place}, and no address is known for that host`;
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `names ${place}, which no network leads to from here`;
    case 'ECONNRESET':
    case 'EPIPE':
      return `names ${place}, which closes the connection`;
    default:
      return code === 'ETIMEDOUT' || /time(d )?out/i.test(messageOf(error)) ? `names ${place}, which does not answer` : null;
  }
}

/** A message of another program as the end of a sentence. */
export const withoutStop = (sentence: string): string => sentence.replace(/[\s.]+$/, '');
