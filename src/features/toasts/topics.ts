/** How the sockets of toasts are known to the hub: its topics are ours, with a name space for those of clients. */
const TOASTS = 'toast:';

/** What every socket of toasts follows, whatever its client subscribes to. */
export const CONTROL_TOPIC = 'control';

export const hubTopicOf = (topic: string): string => `${TOASTS}${topic}`;

/** The clients' own among the topics of a socket. */
export const clientTopicsOf = (hubTopics: readonly string[]): string[] =>
  hubTopics.filter((topic) => topic.startsWith(TOASTS)).map((topic) => topic.slice(TOASTS.length));

/** The topic that a user has without asking. */
export const ownTopicOf = (userId: string): string => `user:${userId}`;

/** Whether a user may follow a topic: their own, those below it, and any that is no user's. */
export function isAllowedTopic(userId: string, topic: string): boolean {
  const own = ownTopicOf(userId);
  return !topic.startsWith('user:') || topic === own || topic.startsWith(`${own}:`);
}
