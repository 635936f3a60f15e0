export { frontPageRoute, healthRoutes } from './routes.ts';
