export { ProductsChanged } from './events.ts';
export { followResearch } from './follow-research.ts';
export { deleteOldEvents, deleteProductsOfProject, transferProducts } from './product-store.ts';
export { productRoutes } from './routes.ts';
