import { z } from 'zod';
import { readJson } from '#lib/read-json.ts';
import type { TextMessageService } from '../../config/text-messages.ts';
import type { Needs } from '../../context.ts';
import type { FetchAnswer, GuardedFetch } from '../guarded-fetch/port.ts';
import { TextMessageFailed, type TextMessage, type TextMessages } from './port.ts';
import { claimMessage, knownIds, markSent, releaseMessage } from './send-store.ts';

const Sent = z.object({ sid: z.string().min(1).max(200) });
const Refused = z.object({ code: z.int() });
const Sends = z.object({ messages: z.array(z.object({ sid: z.string(), body: z.string().nullish(), date_created: z.string().nullish() })) });

/** Of the documented errors (https://www.twilio.com/docs/api/errors) those that are about the number alone. */
const BAD_NUMBER = new Set([21211, 21214, 21217, 21610, 21612, 21614]);
const TRIES = 2;
const REQUEST_MS = 15_000;
/** A page of the list; more messages than anybody gets within the minutes that matter. */
const PAGE = 200;
/** How far its clock and ours may be apart. */
const SKEW_MS = 5 * 60 * 1000;

/** It may have gone out, or not. */
class Unclear extends Error {}

/**
 * Sends over Twilio's Messages resource (API 2010-04-01), which knows no idempotency: after a try of which nobody knows how
 * it ended, what went to the number is listed and compared before anything is sent again, also by another process.
 * @param requestMs time for each request
 */
export function twilioMessages(
  { db, fetch }: Needs<'db'> & { fetch: GuardedFetch },
  service: TextMessageService,
  { requestMs = REQUEST_MS }: { requestMs?: number } = {},
): TextMessages {
  const asked = twilioRequests(fetch, service, requestMs);

  const findSent = async (message: TextMessage, since: Date): Promise<string | undefined> => {
    const sent = (await asked.list(message.to)).filter(({ body, date_created: at }) => body === message.body && !isBefore(at, since));
    const known = await knownIds(
      db,
      sent.map(({ sid }) => sid),
    );
    return sent.find(({ sid }) => !known.has(sid))?.sid;
  };
  const deliver = async (message: TextMessage, { kind, since }: { kind: 'new' | 'open'; since: Date }): Promise<string> => {
    let unclear: Unclear | undefined;
    for (let tries = 0; ; tries += 1) {
      const found = unclear || kind === 'open' ? await findSent(message, since) : undefined;
      if (found !== undefined) return found;
      if (unclear && tries === TRIES) throw unclear;
      try {
        return await asked.create(message);
      } catch (error) {
        if (!(error instanceof Unclear)) throw error;
        unclear = error;
      }
    }
  };

  return {
    send: async (message) => {
      const claim = await claimMessage(db, message.key);
      if (claim.kind === 'sent') return { id: claim.id };
      if (claim.kind === 'busy') throw new TextMessageFailed('busy', 'The message is being sent already.');
      try {
        const id = await deliver(message, claim);
        await markSent(db, message.key, id);
        return { id };
      } catch (error) {
        await releaseMessage(db, message.key);
        throw error instanceof Unclear ? new TextMessageFailed('unclear', error.message, error.cause) : error;
      }
    },
  };
}

/** Times that cannot be read are not held against a message. */
const isBefore = (at: string | null | undefined, since: Date): boolean => Date.parse(at ?? '') < since.getTime() - SKEW_MS;

type Listed = z.output<typeof Sends>['messages'][number];

function twilioRequests(fetch: GuardedFetch, { baseUrl, accountSid, authToken, from }: TextMessageService, milliseconds: number) {
  const resource = `${baseUrl.replace(/\/+$/, '')}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`;
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  const ask = async (url: URL, form?: URLSearchParams): Promise<FetchAnswer> => {
    try {
      return await fetch.fetch(url, {
        signal: AbortSignal.timeout(2 * milliseconds),
        milliseconds,
        redirects: 0,
        headers: { authorization, accept: 'application/json', ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}) },
        ...(form ? { method: 'POST', body: form.toString() } : {}),
      });
    } catch (error) {
      throw new Unclear('The text message service could not be reached, or gave no answer.', { cause: error });
    }
  };
  return {
    /** Gives the message's id. @throws TextMessageFailed when it surely did not go out, Unclear */
    create: async ({ to, body }: TextMessage): Promise<string> => {
      const sender = from.startsWith('MG') ? { MessagingServiceSid: from } : { From: from };
      const answer = await ask(new URL(resource), new URLSearchParams({ To: to, ...sender, Body: body }));
      if (answer.status >= 500) throw new Unclear(`The text message service answered with status ${answer.status}.`);
      if (answer.status >= 300) throw refusalOf(answer);
      const { data } = Sent.safeParse(jsonOf(answer));
      if (!data) throw new Unclear('The text message service answered something that is no answer of its protocol.');
      return data.sid;
    },
    /** What went to a number lately. @throws Unclear */
    list: async (to: string): Promise<Listed[]> => {
      const url = new URL(resource);
      url.search = new URLSearchParams({ To: to, PageSize: String(PAGE) }).toString();
      const answer = await ask(url);
      const { data } = Sends.safeParse(answer.status === 200 ? jsonOf(answer) : undefined);
      if (!data) throw new Unclear(`The text message service did not list what it sent (status ${answer.status}).`);
      return data.messages;
    },
  };
}

function refusalOf(answer: FetchAnswer): TextMessageFailed {
  const { data } = Refused.safeParse(jsonOf(answer));
  if (answer.status === 429) return new TextMessageFailed('busy', 'The text message service takes no more at present.');
  if (data && BAD_NUMBER.has(data.code)) return new TextMessageFailed('number', `This number takes no text messages (code ${data.code}).`);
  return new TextMessageFailed('refused', `The text message service refused it with status ${answer.status}${data ? `, code ${data.code}` : ''}.`);
}

function jsonOf({ body }: FetchAnswer): unknown {
  try {
    return readJson(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
