import { queryToken } from '#platform/http/guards/query-token.ts';
import { socketRoute } from '#platform/http/shapes/socket.ts';

/** Echoes what is said to it. @param tokens whom each token stands for */
export const trialSocket = (tokens: ReadonlyMap<string, string>) =>
  socketRoute({
    path: '/trial/socket',
    summary: 'Says back what it hears',
    guard: queryToken(async (token) => {
      const userId = tokens.get(token);
      return userId ? { userId } : null;
    }),
    maxMessageBytes: 1024,
    connect({ principal, socket }) {
      socket.send({ type: 'connection_ack', user_id: principal.userId });
      return (message) => socket.send({ type: 'heard', message });
    },
  });
