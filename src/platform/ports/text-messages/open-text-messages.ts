import type { Needs } from '../../context.ts';
import { openGuardedFetch } from '../guarded-fetch/built-in.ts';
import { outboxMessages } from './outbox.ts';
import type { TextMessages } from './port.ts';
import { twilioMessages } from './twilio.ts';

/** The configured text message service, or the outbox that the operator reads. */
export function openTextMessages({ config: { textMessages, fetch }, ...needs }: Needs<'config' | 'db' | 'secrets'>): TextMessages {
  if (!textMessages) return outboxMessages(needs);
  return twilioMessages({ ...needs, fetch: openGuardedFetch({ ...fetch, allowPrivate: [textMessages.baseUrl] }) }, textMessages);
}
