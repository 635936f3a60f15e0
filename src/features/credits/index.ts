export { transferGrants } from './credit-store.ts';
export { creditRoutes } from './routes.ts';
