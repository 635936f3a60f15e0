export { operatorRoutes } from './routes.ts';
