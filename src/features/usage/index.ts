export { charge, giveBack } from './charge.ts';
export { deleteOldCharges, transferCharges } from './charge-store.ts';
