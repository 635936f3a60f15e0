import { Agent, get } from 'node:http';
import { percentile } from './figures.ts';
import type { Burst, Load } from './load.ts';

process.on('message', (burst) => void hammer(burst as Burst).then((load) => process.send?.(load)));
process.on('disconnect', () => process.exit());

async function hammer({ url, token, connections, ms, fromMany = false }: Burst): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: 'fifo' });
  const own = token ? { authorization: `Bearer ${token}` } : {};
  let asked = Math.floor(Math.random() * 2 ** 24);
  const headers = (): Record<string, string> => {
    asked += 1;
    return fromMany ? { ...own, 'x-forwarded-for': `10.${(asked >> 16) & 255}.${(asked >> 8) & 255}.${asked & 255}` } : own;
  };
  const times: number[] = [];
  let failed = 0;
  const started = performance.now();
  const oneConnection = async (): Promise<void> => {
    while (performance.now() - started < ms) {
      const sent = performance.now();
      const status = await ask(url, agent, headers());
      if (status === 200) times.push(performance.now() - sent);
      else failed += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, oneConnection));
  const seconds = (performance.now() - started) / 1000;
  agent.destroy();
  return { perSecond: times.length / seconds, p50: percentile(times, 0.5), p99: percentile(times, 0.99), failed };
}

const ask = (url: string, agent: Agent, headers: Record<string, string>): Promise<number> =>
  new Promise((resolve) => {
    get(url, { agent, headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    }).on('error', () => resolve(0));
  });
