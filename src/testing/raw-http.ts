import { connect } from 'node:net';

/** An answer as it came over the wire. */
export type RawAnswer = { status: number; headers: Record<string, string>; body: string };

/** Writes bytes to the server at `url` and gives all that it sends until the connection ends. */
export function sendRaw(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes, 'latin1'));
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
    // A connection that is cut has told what it had to.
    socket.on('error', () => {}).on('close', () => resolve(text));
  });
}

/** The one answer to one request: its first line, further headers, and a body. */
export async function askRaw(url: string, line: string, headers: readonly string[] = [], body = ''): Promise<RawAnswer> {
  const head = [`${line} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers].join('\r\n');
  return parseAnswer(await sendRaw(url, `${head}\r\n\r\n${body}`));
}

export function parseAnswer(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n');
  const [first = '', ...rest] = text.slice(0, end).split('\r\n');
  const headers = rest.map((header) => [header.slice(0, header.indexOf(':')).toLowerCase(), header.slice(header.indexOf(':') + 1).trim()]);
  return { status: Number(first.split(' ')[1]), headers: Object.fromEntries(headers) as Record<string, string>, body: text.slice(end + 4) };
}
