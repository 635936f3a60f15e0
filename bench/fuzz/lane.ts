import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { readAnswers, type AnswerReader } from './answers.ts';
import type { Answer, Exchange } from './exchange.ts';

/** What a connection gave for one exchange. */
export type Result = { answer: Answer | null; status: number | null; ms: number; problem?: string };

/** One connection after the other to one service. */
export type Lane = {
  /** Sends whole requests one behind the other and gives their results, in order. */
  pipeline(exchanges: readonly Exchange[]): Promise<Result[]>;
  /** Sends one on a connection of its own, which it may not survive. */
  alone(exchange: Exchange): Promise<Result>;
  close(): void;
};

const PATIENCE_MS = 60_000;
const STREAM_MS = 120;

type Connection = { socket: Socket; reader: AnswerReader; ended(): boolean; changed(): Promise<void> };

export function openLane(url: string): Lane {
  const port = Number(new URL(url).port);
  let kept: Connection | undefined;

  return {
    pipeline: async (exchanges) => {
      kept ??= await connected(port);
      const connection = kept;
      const started = performance.now();
      connection.socket.write(Buffer.concat(exchanges.map(({ bytes }) => bytes)));
      const results: Result[] = [];
      for (const { method } of exchanges) {
        const answer = await nextAnswer(connection, method, started + PATIENCE_MS);
        const ms = performance.now() - started;
        if (!answer) {
          const problem = connection.ended() ? 'its connection was closed without an answer' : `no answer within ${PATIENCE_MS / 1000} s`;
          results.push({ answer, status: null, ms, problem });
          break;
        }
        results.push({ answer, status: answer.status, ms });
        // The service says that it goes: what follows on this connection is lost with good reason.
        if (answer.headers.get('connection') === 'close') break;
      }
      if (results.length < exchanges.length || connection.ended() || closes(results.at(-1))) {
        connection.socket.destroy();
        kept = undefined;
      }
      return results;
    },
    alone: async (exchange) => {
      const connection = await connected(port);
      const { socket, reader } = connection;
      const started = performance.now();
      try {
        socket.write(exchange.bytes);
        if (exchange.kind === 'left') return { answer: null, status: null, ms: await leave(socket) };
        if (exchange.kind === 'refused') socket.end();
        // A stream may go on for long after its head.
        const begun = await until(connection, () => reader.begun() ?? undefined, started + PATIENCE_MS);
        const patience = exchange.kind === 'stream' && begun !== undefined ? STREAM_MS : PATIENCE_MS;
        const answer = await nextAnswer(connection, exchange.method, performance.now() + patience);
        const ms = performance.now() - started;
        const status = answer?.status ?? reader.begun();
        if (status === null && exchange.kind === 'stream') return { answer, status, ms, problem: 'no answer to a stream' };
        if (status === null && !connection.ended()) return { answer, status, ms, problem: 'neither answered nor closed' };
        return { answer, status, ms };
      } finally {
        if (exchange.kind === 'stream') socket.resetAndDestroy();
        else socket.destroy();
      }
    },
    close: () => kept?.socket.destroy(),
  };
}

const closes = (result: Result | undefined): boolean => result?.answer?.headers.get('connection') === 'close';

/** Goes with a reset, at once or a moment later. */
async function leave(socket: Socket): Promise<number> {
  const ms = socket.bytesWritten % 3 === 0 ? 15 : 0;
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
  socket.resetAndDestroy();
  return ms;
}

async function connected(port: number): Promise<Connection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
  const reader = readAnswers();
  let ended = false;
  let wake: (() => void) | undefined;
  const changes = () => {
    wake?.();
    wake = undefined;
  };
  const end = () => {
    ended = true;
    changes();
  };
  socket.on('data', (chunk: Buffer) => {
    reader.add(chunk);
    changes();
  });
  socket.on('end', end).on('close', end).on('error', end);
  await once(socket, 'connect');
  return { socket, reader, ended: () => ended, changed: () => new Promise((resolve) => (wake = resolve)) };
}

const nextAnswer = async (connection: Connection, method: string, deadline: number): Promise<Answer | null> =>
  (await until(connection, () => connection.reader.next(method, connection.ended()) ?? undefined, deadline)) ?? null;

/** What `look` finds, once it finds something, before the connection ends and the deadline passes. */
async function until<T>(connection: Connection, look: () => T | undefined, deadline: number): Promise<T | undefined> {
  for (;;) {
    const ended = connection.ended();
    const found = look();
    const left = deadline - performance.now();
    if (found !== undefined || ended || left <= 0) return found;
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([connection.changed(), new Promise<void>((resolve) => (timer = setTimeout(resolve, left)))]);
    clearTimeout(timer);
  }
}
