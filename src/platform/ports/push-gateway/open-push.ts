import type { PushConfig } from '../../config/push.ts';
import type { Logger } from '../../observability/log.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { openApns } from './apns.ts';
import { openBuiltIn } from './built-in.ts';
import { PushLater, type PushGateway, type PushSender, type PushTarget } from './port.ts';
import { pushMetrics } from './push-metrics.ts';
import { openWebPush, type WebPushOptions } from './web-push.ts';

type Needs = Pick<WebPushOptions, 'fetch' | 'keys'> & { metrics: Metrics; log: Pick<Logger, 'info'> };

/** Sends to every kind of device: to browsers always, to phones where Apple's service is configured. */
export function openPush({ apns: config, contact }: Pick<PushConfig, 'apns' | 'contact'>, { fetch, keys, metrics, log }: Needs): PushGateway {
  const { pushes } = pushMetrics(metrics);
  const apns = config && openApns(config);
  const webPush = openWebPush({ fetch, keys, contact });
  const builtIn = openBuiltIn(log);
  const via: PushGateway['via'] = (kind) => (kind === 'web_push' ? 'web_push' : apns ? 'apns' : 'built_in');
  const senderOf = (target: PushTarget): PushSender => {
    if (target.kind === 'web_push') return webPush as PushSender;
    return (apns as PushSender | undefined) ?? builtIn;
  };
  return {
    via,
    webPushKey: async () => (await keys()).publicKey,
    send: async (target, message, request) => {
      const count = (outcome: string): void => pushes.inc({ via: via(target.kind), outcome });
      try {
        const sent = await senderOf(target).send(target, message, request);
        count(sent.outcome);
        return sent;
      } catch (error) {
        count(error instanceof PushLater ? 'later' : 'failed');
        throw error;
      }
    },
    close: async () => {
      await apns?.close();
    },
  };
}
