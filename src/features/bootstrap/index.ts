export { bootstrapRoute } from './routes.ts';
