export { briefExportRoute, graphExportRoute, researchExportRoute } from './routes.ts';
