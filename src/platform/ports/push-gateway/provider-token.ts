import { SignJWT } from 'jose';
import type { ApnsConfig } from '../../config/push.ts';

/** Apple takes a token for an hour, and no new one more often than every 20 minutes. */
const HOLDS_MS = 50 * 60_000;

/** The token that says who sends; one for all connections. */
export type ProviderToken = {
  current(): Promise<string>;
  /** Another one in place of this, unless it was replaced already. */
  replace(refused: string): Promise<string>;
};

/** ES256 (RFC 7518, 3.4) with the header and claims that Apple reads: `kid`, `iss` and `iat`. @param now milliseconds */
export function providerToken({ key, keyId, teamId }: Pick<ApnsConfig, 'key' | 'keyId' | 'teamId'>, now: () => number = Date.now): ProviderToken {
  let made: { at: number; text: Promise<string> } | undefined;
  const make = (): Promise<string> => {
    const at = now();
    const token = new SignJWT({})
      .setProtectedHeader({ alg: 'ES256', kid: keyId })
      .setIssuer(teamId)
      .setIssuedAt(Math.floor(at / 1000));
    made = { at, text: token.sign(key) };
    return made.text;
  };
  const current = (): Promise<string> => (made && now() - made.at < HOLDS_MS ? made.text : make());
  return {
    current,
    replace: async (refused) => {
      const before = made;
      const known = await current();
      // Of many that were refused together one makes the new token.
      return known === refused && made === before ? make() : current();
    },
  };
}
