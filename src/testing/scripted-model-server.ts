import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeStream, type StreamedTurn, type StreamFault } from './scripted-streams.ts';
import { answerFromPrompt, callNameOf, seeded, type Inventions } from './scripted-answers.ts';

/** What a request meets instead of a good answer. `malformed`, `truncated` and `empty` come with status 200. */
type Fault = { status: number; retryAfter?: string } | 'hang' | 'hang_up' | 'malformed' | 'truncated' | 'empty' | 'prose' | StreamFault;

type ScriptedCall = {
  name: string;
  system: string;
  prompt: string;
  turns: { role: string; content: string }[];
  schemaName: string | undefined;
  raw: unknown;
};

export type Script = {
  latencyMs?: number;
  /** Met by the first requests to a model, in this order; `null` lets one through. */
  faults?: (Fault | null)[];
  /** The object to answer with; undefined leaves the answer to the prompt's own material. */
  answer?: (call: ScriptedCall) => unknown;
  /** The answer to a request that asks for a stream. */
  stream?: (call: ScriptedCall) => StreamedTurn;
  /** Share of names, addresses and evidence ids that are made up. */
  invented?: number;
  seed?: number;
  /** Requests with another key are refused with 401. */
  apiKey?: string;
  /** Whether chat completions take a JSON Schema. */
  takesSchemas?: boolean;
  /** Length of the vectors, whatever was asked for. */
  dimensions?: number;
};

export type ScriptedModelServer = AsyncDisposable & {
  /** Ends in `/v1`: the base URL for both protocols. */
  url: string;
  calls: ScriptedCall[];
  faults: (Fault | null)[];
  /** Streams that the client left before they ended. */
  left: number;
  told: Inventions;
  /** Requests so far, of one name or of all. */
  count(name?: string): number;
};

const TOKENS = { input: 100, output: 20 };

/** A server on a free local port that speaks Anthropic's Messages and OpenAI's chat and embeddings protocols from a script. */
export async function startScriptedModel(script: Script = {}): Promise<ScriptedModelServer> {
  const calls: ScriptedCall[] = [];
  const faults = [...(script.faults ?? [])];
  const told: Inventions = { urls: [], names: [], ids: [] };
  const liar = { share: script.invented ?? 0, told, random: seeded(script.seed ?? 1) };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request);
    if (script.latencyMs) await sleep(script.latencyMs);
    if (script.apiKey && keyOf(request) !== script.apiKey) return send(response, 401, problem('unknown key'));
    if (request.url === '/v1/embeddings') return send(response, 200, embeddings(body, script));
    const isMessages = request.url === '/v1/messages';
    if (!isMessages && request.url !== '/v1/chat/completions') return send(response, 404, problem('unknown path'));
    const call = callOf(body, isMessages);
    calls.push(call);
    if (!isMessages && script.takesSchemas === false && body['response_format'])
      return send(response, 400, problem('response_format is not supported'));
    const fault = faults.shift() ?? null;
    if (fault === 'hang') return;
    if (fault === 'hang_up') return void request.socket.destroy();
    if (fault !== null && typeof fault === 'object') return refuse(response, fault);
    if (body['stream'] === true) {
      response.once('close', () => (server.left += response.writableFinished ? 0 : 1));
      const turn = script.stream?.(call) ?? { deltas: ['Yes.'] };
      return writeStream(isMessages, { response, turn, fault: (fault ?? undefined) as StreamFault | undefined, tokens: TOKENS });
    }
    const object = script.answer?.(call) ?? answerFromPrompt(call.name, call.turns[0]?.content ?? '', liar);
    const text = spoilt(script.takesSchemas === false && fault === null ? 'prose' : fault, JSON.stringify(object));
    send(response, 200, isMessages ? message(text, body, fault === null) : completion(text));
  };
  const http = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => send(response, 500, problem(String(error))));
  });
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  const { port } = http.address() as AddressInfo;
  const server: ScriptedModelServer = {
    url: `http://127.0.0.1:${port}/v1`,
    calls,
    faults,
    told,
    left: 0,
    count: (name) => calls.filter((call) => name === undefined || call.name === name).length,
    [Symbol.asyncDispose]: async () => {
      http.closeAllConnections();
      await new Promise((done) => http.close(done));
    },
  };
  return server;
}

type Body = Record<string, unknown>;

async function bodyOf(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString() || '{}') as Body;
}

const keyOf = ({ headers }: IncomingMessage): string => String(headers['x-api-key'] ?? headers.authorization?.replace(/^Bearer /, '') ?? '');

const problem = (message: string) => ({ type: 'error', error: { type: 'scripted', message } });

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

const refuse = (response: ServerResponse, { status, retryAfter }: Extract<Fault, object>): void =>
  send(response, status, problem(`scripted ${status}`), retryAfter === undefined ? {} : { 'retry-after': retryAfter });

/** The text of a message's content, which is a string or a list of parts. */
const textOf = (content: unknown): string =>
  Array.isArray(content) ? content.map((part: { text?: string }) => part.text ?? '').join('') : typeof content === 'string' ? content : '';

function callOf(body: Body, isMessages: boolean): ScriptedCall {
  const all = (body['messages'] as { role: string; content: unknown }[]).map(({ role, content }) => ({ role, content: textOf(content) }));
  const system = isMessages ? textOf(body['system']) : (all.find(({ role }) => role === 'system')?.content ?? '');
  const turns = all.filter(({ role }) => role !== 'system');
  const format = body['response_format'] as { json_schema?: { name?: string } } | undefined;
  return {
    name: callNameOf(system, turns[0]?.content ?? ''),
    system,
    prompt: turns.at(-1)?.content ?? '',
    turns,
    schemaName: format?.json_schema?.name,
    raw: body,
  };
}

function spoilt(fault: Fault | null, json: string): string {
  if (fault === 'malformed') return '{"wrong": [}';
  if (fault === 'truncated') return json.slice(0, Math.max(1, Math.floor(json.length / 2)));
  if (fault === 'empty') return '';
  return fault === 'prose' ? `Sure, here is what you asked for:\n\n\`\`\`json\n${json}\n\`\`\`\nLet me know!` : json;
}

function message(text: string, body: Body, isWhole: boolean): unknown {
  const usesTool = isWhole && Array.isArray(body['tools']);
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: body['model'],
    content: usesTool ? [{ type: 'tool_use', id: 'toolu_1', name: 'json', input: JSON.parse(text) as unknown }] : [{ type: 'text', text }],
    stop_reason: usesTool ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: TOKENS.input, output_tokens: TOKENS.output },
  };
}

const completion = (text: string) => ({
  id: 'chatcmpl_1',
  object: 'chat.completion',
  created: 1,
  model: 'scripted',
  choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
  usage: { prompt_tokens: TOKENS.input, completion_tokens: TOKENS.output, total_tokens: TOKENS.input + TOKENS.output },
});

/** Vectors that depend on the text alone; the rows come in reverse, since the protocol orders them by `index` only. */
function embeddings(body: Body, { dimensions }: Script): unknown {
  const length = dimensions ?? Number(body['dimensions'] ?? 512);
  const data = (body['input'] as string[]).map((text, index) => {
    const random = seeded([...text].reduce((sum, char) => (sum * 31 + (char.codePointAt(0) ?? 0)) | 0, 7));
    return { object: 'embedding', index, embedding: Array.from({ length }, () => random() - 0.5) };
  });
  return { object: 'list', model: body['model'], data: data.toReversed(), usage: { prompt_tokens: 1, total_tokens: 1 } };
}
