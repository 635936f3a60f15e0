export { deleteCardsOfProject, findLatestCard, insertCards, moveCardsOfResearch, reownCards, type NewCard } from './card-store.ts';
export { cardRoutes } from './routes.ts';
