import { newId } from '#lib/ids.ts';
import type { Logger } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { hubMetrics } from './hub-metrics.ts';
import { frameJoiner, textFrame, type Frame } from './frames.ts';
import { Outbox } from './outbox.ts';

/** What the hub needs of a socket: that of a `socketRoute` has it. */
export type FrameSocket = {
  /** Writes whole frames as they are; nothing may be compressed. */
  writeFrames(frames: Uint8Array): void;
  /** Bytes that the client has not taken yet. */
  unread(): number;
  close(code: number, reason?: string): void;
};

/** One socket within the hub. */
type Connection = {
  id: string;
  /** Whose it is; another's from a transfer on. */
  userId: string;
  topics(): string[];
  /** Gives the topics that it has from now on beside the earlier ones; those beyond the limit are left out. */
  subscribe(topics: readonly string[]): string[];
  unsubscribe(topics: readonly string[]): void;
  /** To this socket alone, and never dropped. */
  send(message: unknown): void;
  /** Whether somebody looks at it. Not so until the client says so. */
  setForeground(isForeground: boolean): void;
  close(code: number, reason: string): void;
};

type Joining = {
  userId: string;
  topics?: readonly string[];
  /** Aborts when the socket is closed, whoever closed it; the `signal` of a `socketRoute` does. */
  signal: AbortSignal;
};

/** Who is meant: the sockets of a user, of a topic, or those of a user that follow a topic. */
type Audience = { userId: string; topic?: string } | { topic: string };

export type Hub = {
  /** Null when the socket is closed already, or when the user has too many: this one is closed with 1008. */
  connect(socket: FrameSocket, who: Joining): Connection | null;
  /** Sends a message to every socket of this process that is meant; gives how many. Where `droppable`, a slow reader may miss it. */
  publish(audience: Audience, message: unknown, options?: { droppable?: boolean }): number;
  /** The sockets of each user in this process. */
  counts(userId: string): { sockets: number; foreground: number };
  /** The topics of a user's sockets in this process, each once per socket that follows it. */
  topicsOf(userId: string): string[];
  users(): Iterable<string>;
  /** The sockets of a user are those of another from now on, also where that makes more than one may open. */
  transfer(from: string, to: string): void;
  /** Calls back whenever the counts or topics of a user changed. */
  onChange(callback: (userId: string) => void): void;
  /** Closes every socket with 1012, so that the clients come back. */
  close(): void;
};

export type HubLimits = {
  socketsPerUser: number;
  topicsPerSocket: number;
  /** Bytes that may wait for a slow reader, beside those that its socket holds. */
  outboxBytes: number;
  /** From so many bytes in a socket on nothing more is written to it. */
  bufferedBytes: number;
};

const HUB_LIMITS: HubLimits = { socketsPerUser: 20, topicsPerSocket: 100, outboxBytes: 262_144, bufferedBytes: 65_536 };

/** Close codes of RFC 6455 and its registry. */
const POLICY = 1008;
const RESTART = 1012;
const TRY_LATER = 1013;

const SLOW_LOOK_MS = 20;

type Needs = { metrics: Metrics; log: Pick<Logger, 'warn'>; limits?: Partial<HubLimits> };

type Member = {
  connection: Connection;
  socket: FrameSocket;
  outbox: Outbox;
  topics: Set<string>;
  isForeground: boolean;
  isOpen: boolean;
};

/** The sockets of this process by user and topic. What is published within one turn of the event loop goes to each socket in one write. */
export function openHub({ metrics: shown, log, limits: given = {} }: Needs): Hub {
  const metrics = hubMetrics(shown);
  const limits = { ...HUB_LIMITS, ...given };
  const byUser = new Index();
  const byTopic = new Index();
  const members = new Set<Member>();
  const changed = new Set<(userId: string) => void>();
  const tellChange = (userId: string): void => changed.forEach((callback) => callback(userId));

  const waiting = new Set<Member>();
  let isFlushing = false;
  let slowLook: NodeJS.Timeout | undefined;

  const enqueue = (member: Member, frame: Frame): void => {
    if (!member.isOpen) return;
    if (!makeRoom(member, frame)) {
      if (frame.droppable) metrics.dropped.inc();
      else shut(member, TRY_LATER, 'reads too slowly');
      return;
    }
    member.outbox.add(frame);
    waiting.add(member);
    if (isFlushing) return;
    isFlushing = true;
    setImmediate(flush);
  };

  const makeRoom = ({ outbox, socket }: Member, frame: Frame): boolean => {
    if (outbox.hasRoomFor(frame)) return true;
    // Much within one turn is no slow reader.
    if (socket.unread() <= limits.bufferedBytes) {
      write(socket, outbox, frameJoiner());
      return true;
    }
    while (outbox.dropOldest()) {
      metrics.dropped.inc();
      if (outbox.hasRoomFor(frame)) return true;
    }
    return false;
  };

  const write = (socket: FrameSocket, outbox: Outbox, join: ReturnType<typeof frameJoiner>): void => {
    const frames = outbox.take();
    socket.writeFrames(join(frames));
    metrics.delivered.inc(frames.length);
  };

  const flush = (): void => {
    isFlushing = false;
    const join = frameJoiner();
    for (const member of waiting) {
      if (member.socket.unread() > limits.bufferedBytes) continue;
      waiting.delete(member);
      write(member.socket, member.outbox, join);
    }
    // Only slow readers are left; a socket does not say when it has room again.
    if (waiting.size > 0) slowLook ??= setTimeout(lookAgain, SLOW_LOOK_MS).unref();
  };
  const lookAgain = (): void => {
    slowLook = undefined;
    flush();
  };

  const shut = (member: Member, code: number, reason: string): void => {
    if (!member.isOpen) return;
    forget(member);
    metrics.closed.inc({ code: String(code) });
    member.socket.close(code, reason);
  };

  const forget = (member: Member): void => {
    member.isOpen = false;
    members.delete(member);
    waiting.delete(member);
    byUser.remove(member.connection.userId, member);
    unsubscribe(member, [...member.topics]);
    metrics.sockets.dec();
    tellChange(member.connection.userId);
  };

  const subscribe = (member: Member, topics: readonly string[]): string[] => {
    for (const topic of member.isOpen ? topics : []) {
      if (member.topics.size >= limits.topicsPerSocket && !member.topics.has(topic)) continue;
      member.topics.add(topic);
      byTopic.add(topic, member);
    }
    return topics.filter((topic) => member.topics.has(topic));
  };

  const unsubscribe = (member: Member, topics: readonly string[]): void => {
    for (const topic of topics) if (member.topics.delete(topic)) byTopic.remove(topic, member);
  };

  const tellOfTopics = <T>(member: Member, change: () => T): T => {
    const before = member.topics.size;
    const changed = change();
    if (member.topics.size !== before) tellChange(member.connection.userId);
    return changed;
  };

  const membersFor = (audience: Audience): Iterable<Member> => {
    if (!('userId' in audience)) return byTopic.of(audience.topic);
    const { userId, topic } = audience;
    return topic === undefined ? byUser.of(userId) : [...byUser.of(userId)].filter((member) => member.topics.has(topic));
  };

  return {
    connect: (socket, { userId, topics = [], signal }) => {
      if (signal.aborted) return null;
      if (byUser.of(userId).size >= limits.socketsPerUser) {
        log.warn({ userId, most: limits.socketsPerUser }, 'a user has too many sockets');
        metrics.closed.inc({ code: String(POLICY) });
        socket.close(POLICY, 'too many connections');
        return null;
      }
      const connection: Connection = {
        id: newId(),
        userId,
        topics: () => [...member.topics],
        subscribe: (more) => tellOfTopics(member, () => subscribe(member, more)),
        unsubscribe: (fewer) => tellOfTopics(member, () => unsubscribe(member, fewer)),
        send: (message) => enqueue(member, { bytes: textFrame(JSON.stringify(message)), droppable: false }),
        setForeground: (isForeground) => {
          if (member.isForeground === isForeground || !member.isOpen) return;
          member.isForeground = isForeground;
          tellChange(connection.userId);
        },
        close: (code, reason) => shut(member, code, reason),
      };
      const outbox = new Outbox(limits.outboxBytes);
      const member: Member = { connection, socket, outbox, topics: new Set(), isForeground: false, isOpen: true };
      members.add(member);
      byUser.add(userId, member);
      subscribe(member, topics);
      signal.addEventListener('abort', () => member.isOpen && forget(member), { once: true });
      metrics.sockets.inc();
      tellChange(userId);
      return connection;
    },
    publish: (audience, message, { droppable = false } = {}) => {
      const meant = [...membersFor(audience)];
      if (meant.length === 0) return 0;
      const frame: Frame = { bytes: textFrame(JSON.stringify(message)), droppable };
      for (const member of meant) enqueue(member, frame);
      return meant.length;
    },
    counts: (userId) => {
      const own = [...byUser.of(userId)];
      return { sockets: own.length, foreground: own.filter(({ isForeground }) => isForeground).length };
    },
    topicsOf: (userId) => [...byUser.of(userId)].flatMap(({ topics }) => [...topics]),
    users: () => byUser.keys(),
    transfer: (from, to) => {
      if (from === to) return;
      for (const member of byUser.of(from)) {
        byUser.remove(from, member);
        byUser.add(to, member);
        member.connection.userId = to;
      }
      tellChange(from);
      tellChange(to);
    },
    onChange: (callback) => void changed.add(callback),
    close: () => {
      flush();
      clearTimeout(slowLook);
      for (const member of members) shut(member, RESTART, 'the service restarts');
    },
  };
}

/** Members under keys; a key without members is gone. */
class Index {
  readonly #sets = new Map<string, Set<Member>>();

  of(key: string): ReadonlySet<Member> {
    return this.#sets.get(key) ?? NOBODY;
  }

  keys(): Iterable<string> {
    return this.#sets.keys();
  }

  add(key: string, member: Member): void {
    const set = this.#sets.get(key);
    if (set) set.add(member);
    else this.#sets.set(key, new Set([member]));
  }

  remove(key: string, member: Member): void {
    const set = this.#sets.get(key);
    set?.delete(member);
    if (set?.size === 0) this.#sets.delete(key);
  }
}

const NOBODY: ReadonlySet<Member> = new Set();
