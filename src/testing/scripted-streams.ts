import type { ServerResponse } from 'node:http';

/** One streamed answer: text in its deltas, then calls of tools. */
export type StreamedTurn = { deltas?: string[]; calls?: { id?: string; tool: string; input: unknown }[]; cut?: boolean };

/** How a streamed answer goes wrong after it began. */
export type StreamFault = 'breaks_off' | 'stalls' | 'half_a_call' | 'no_end' | 'overloaded';

type Tokens = { input: number; output: number };

type Writing = { response: ServerResponse; turn: StreamedTurn; fault: StreamFault | undefined; tokens: Tokens };

/** Writes an answer as server-sent events of Anthropic's Messages protocol or OpenAI's chat completions. */
export function writeStream(isMessages: boolean, writing: Writing): void {
  const { response, fault } = writing;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const events = isMessages ? messageEvents(writing) : completionEvents(writing);
  const kept = fault ? events.slice(0, lengthBefore(fault, events)) : events;
  for (const event of kept)
    response.write(isMessages ? `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n` : `data: ${JSON.stringify(event)}\n\n`);
  if (fault === 'stalls') return;
  if (fault === 'breaks_off') return void response.write('\n', () => response.socket?.destroy());
  if (fault === 'overloaded') response.write(isMessages ? `event: error\ndata: ${OVERLOADED}\n\n` : `data: ${OVERLOADED}\n\n`);
  if (!fault && !isMessages) response.write('data: [DONE]\n\n');
  response.end();
}

const OVERLOADED = JSON.stringify({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } });

type Event = Record<string, unknown>;

/** Half a call ends inside its arguments; everything else ends behind the first text. */
function lengthBefore(fault: StreamFault, events: Event[]): number {
  const at = (found: (event: Event) => boolean): number => events.findIndex(found) + 1;
  if (fault === 'half_a_call')
    return at((event) => JSON.stringify(event).includes('input_json_delta') || JSON.stringify(event).includes('"arguments":"{'));
  return at((event) => JSON.stringify(event).includes('text_delta') || JSON.stringify(event).includes('"content":"'));
}

function messageEvents({ turn, fault, tokens }: Writing): Event[] {
  const { deltas = [], calls = [] } = turn;
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'scripted', content: [], stop_reason: null, stop_sequence: null };
  const events: Event[] = [{ type: 'message_start', message: { ...message, usage: { input_tokens: tokens.input, output_tokens: 1 } } }];
  const block = (content_block: unknown, parts: unknown[]): void => {
    const index = events.filter(({ type }) => type === 'content_block_start').length;
    events.push({ type: 'content_block_start', index, content_block });
    for (const delta of parts) events.push({ type: 'content_block_delta', index, delta });
    events.push({ type: 'content_block_stop', index });
  };
  if (deltas.length > 0) {
    block(
      { type: 'text', text: '' },
      deltas.map((text) => ({ type: 'text_delta', text })),
    );
  }
  for (const [place, { id = `toolu_${place + 1}`, tool, input }] of calls.entries()) {
    block(
      { type: 'tool_use', id, name: tool, input: {} },
      argumentsOf(input, fault).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
    );
  }
  const stop_reason = turn.cut ? 'max_tokens' : calls.length > 0 ? 'tool_use' : 'end_turn';
  events.push(
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: tokens.output } },
    { type: 'message_stop' },
  );
  return events;
}

function completionEvents({ turn, fault, tokens }: Writing): Event[] {
  const { deltas = [], calls = [] } = turn;
  const chunk = (delta: unknown, finish_reason: string | null = null): Event => ({
    id: 'chatcmpl_1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'scripted',
    choices: [{ index: 0, delta, finish_reason }],
  });
  const callChunks = calls.flatMap(({ id = `call_${calls.length}`, tool, input }, index) => [
    chunk({ tool_calls: [{ index, id: `${id}_${index}`, type: 'function', function: { name: tool, arguments: '' } }] }),
    ...argumentsOf(input, fault).map((part) => chunk({ tool_calls: [{ index, function: { arguments: part } }] })),
  ]);
  const usage = { prompt_tokens: tokens.input, completion_tokens: tokens.output, total_tokens: tokens.input + tokens.output };
  return [
    ...deltas.map((content) => chunk({ role: 'assistant', content })),
    ...callChunks,
    chunk({}, turn.cut ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop'),
    { id: 'chatcmpl_1', object: 'chat.completion.chunk', created: 1, model: 'scripted', choices: [], usage },
  ];
}

/** In two parts, so that half of them is no JSON. */
function argumentsOf(input: unknown, fault: StreamFault | undefined): string[] {
  const json = JSON.stringify(input);
  const middle = Math.max(1, Math.floor(json.length / 2));
  return fault === 'half_a_call' ? [json.slice(0, middle)] : [json.slice(0, middle), json.slice(middle)];
}
