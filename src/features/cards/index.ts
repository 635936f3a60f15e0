export { deleteCardsOfProject, findLatestCard, insertCards, moveCardsOfResearch, transferCards, type NewCard } from './card-store.ts';
export { cardRoutes } from './routes.ts';
