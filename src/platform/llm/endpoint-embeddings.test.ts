import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { startScriptedModel, type Script, type ScriptedModelServer } from '#testing/scripted-model-server.ts';
import { endpointEmbeddings } from './endpoint-embeddings.ts';

const opened: ScriptedModelServer[] = [];
afterEach(async () => {
  for (const server of opened.splice(0)) await server[Symbol.asyncDispose]();
});

async function open(script: Script = {}, apiKey: string | undefined = undefined) {
  const server = await startScriptedModel(script);
  opened.push(server);
  return endpointEmbeddings({ baseUrl: server.url, apiKey, model: 'vectors', dimensions: 512 });
}

const dot = (left: number[] | undefined, right: number[] | undefined): number =>
  (left ?? []).reduce((sum, value, index) => sum + value * (right?.[index] ?? 0), 0);

describe('embeddings of an endpoint', () => {
  it('are unit vectors in the order of the texts, over several batches', async () => {
    const embeddings = await open();
    const texts = Array.from({ length: 130 }, (_, index) => `text ${index}`);
    const vectors = await embeddings.embed(texts);
    expect(vectors).toHaveLength(130);
    const [alone] = await embeddings.embed(['text 129']);
    expect(dot(vectors[129], alone)).toBeCloseTo(1, 10);
    expect(dot(vectors[0], vectors[1])).toBeLessThan(0.5);
  });

  it('are cut and scaled when the model gives longer ones', async () => {
    const [vector] = await (await open({ dimensions: 1536 })).embed(['a']);
    expect(vector).toHaveLength(512);
    expect(dot(vector, vector)).toBeCloseTo(1, 10);
  });

  it('are refused when the model gives shorter ones', async () => {
    await expect((await open({ dimensions: 384 })).embed(['a'])).rejects.toMatchObject({
      kind: 'unavailable',
      detail: expect.stringContaining('384'),
    });
  });

  it('send the key, and tell a status', async () => {
    expect(await (await open({ apiKey: 'k' }, 'k')).embed(['a'])).toHaveLength(1);
    await expect((await open({ apiKey: 'k' })).embed(['a'])).rejects.toMatchObject({ kind: 'unavailable', detail: expect.stringContaining('401') });
  });

  it('tell an endpoint that is gone or speaks something else', async () => {
    const server = createServer((_request, response) => void response.end('<html>'));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const embeddings = endpointEmbeddings({ baseUrl, apiKey: undefined, model: 'm', dimensions: 512 });
    await expect(embeddings.embed(['a'])).rejects.toMatchObject({ kind: 'unavailable', detail: expect.stringContaining('protocol') });
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    await expect(embeddings.embed(['a'])).rejects.toMatchObject({ kind: 'unavailable', detail: expect.stringContaining('reached') });
  });

  it("end with the caller's own reason", async () => {
    const embeddings = await open();
    await expect(embeddings.embed(['a'], AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  });
});
