export { sharedPageRoutes, shareImageRoutes } from './routes.ts';
