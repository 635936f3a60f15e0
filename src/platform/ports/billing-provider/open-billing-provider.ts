import type { BillingConfig } from '../../config/billing.ts';
import { localLedger } from './local.ts';
import type { BillingProvider } from './port.ts';
import { revenueCat } from './revenuecat.ts';

/** The configured provider, or undefined when there is none; nothing is connected before it is asked. */
export function openBillingProvider(
  { provider }: Pick<BillingConfig, 'provider'>,
  local: Parameters<typeof localLedger>[0],
): BillingProvider | undefined {
  switch (provider.kind) {
    case 'none':
      return undefined;
    case 'local':
      return localLedger(local);
    case 'revenuecat':
      return revenueCat(provider);
  }
}
