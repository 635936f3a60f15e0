import type { Logger } from '../../observability/log.ts';
import type { PushSender } from './port.ts';

/** Sends nothing: whoever calls it keeps what would have been sent, for clients that fetch it themselves. */
export const openBuiltIn = (log: Pick<Logger, 'info'>): PushSender => ({
  send: async (target, message, { id }) => {
    log.info({ pushId: id, kind: target.kind, type: message.data['type'] }, 'a push is kept: no gateway is configured for this kind of device');
    return { outcome: 'recorded' };
  },
  close: async () => {},
});
