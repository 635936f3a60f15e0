export { ProductsChanged } from './events.ts';
export { followResearch } from './follow-research.ts';
export { deleteProductsOfProject, reownProducts } from './product-store.ts';
export { productRoutes } from './routes.ts';
