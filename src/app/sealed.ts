import { sealedProfileColumns } from '#features/profile';
import { sealedOutboxColumns } from '#platform/ports/text-messages/outbox.ts';
import { sealedPushKeys, sealedSubscriptions } from '#features/push';
import type { SealedColumn } from '#platform/sealed-column.ts';

/** Every column whose values are sealed: what the rotation of keys goes through. */
export const sealedColumns: readonly SealedColumn[] = [...sealedProfileColumns, ...sealedOutboxColumns, sealedPushKeys, sealedSubscriptions];
