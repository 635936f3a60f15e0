import type { Env } from './env.ts';
import { checkUrl, ConfigError, whole } from './read-values.ts';

/** A service that speaks Twilio's protocol. `from`: a number, or a messaging service (MG…). */
export type TextMessageService = { baseUrl: string; accountSid: string; authToken: string; from: string };

/** What protects the operator's bill. */
export const readPhoneCodes = (env: Env): number => whole(env, 'PHONE_CODES_PER_HOUR', 300, 1, 1_000_000);

const NEEDED = ['SMS_ACCOUNT_SID', 'SMS_AUTH_TOKEN', 'SMS_FROM'] as const;

/** Undefined: text messages wait in the outbox. */
export function readTextMessages(env: Env): TextMessageService | undefined {
  const baseUrl = env['SMS_BASE_URL'];
  if (baseUrl) checkUrl('SMS_BASE_URL', baseUrl);
  const [accountSid, authToken, from] = NEEDED.map((name) => env[name]);
  if (accountSid && authToken && from) return { baseUrl: baseUrl ?? 'https://api.twilio.com', accountSid, authToken, from };
  const given = ['SMS_BASE_URL', ...NEEDED].filter((name) => env[name]);
  if (given.length === 0) return undefined;
  throw new ConfigError(`${given[0]} is set without ${NEEDED.filter((name) => !env[name]).join(' and ')}.`);
}
