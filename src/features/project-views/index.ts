export { projectViewRoutes } from './routes.ts';
