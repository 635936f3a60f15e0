/** The complete lines of a stream of UTF-8 bytes; what a broken connection leaves of a last one is dropped. */
export async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let pending: string[] = [];
  for await (const chunk of body) {
    const [head = '', ...rest] = decoder.decode(chunk, { stream: true }).split('\n');
    pending.push(head);
    for (const next of rest) {
      const line = pending.join('');
      pending = [next];
      if (line.trim()) yield line;
    }
  }
}
