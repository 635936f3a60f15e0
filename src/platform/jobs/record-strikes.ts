import { renameSync, rmSync, writeFileSync } from 'node:fs';

/** Where a process leaves word: in the database, or, as nobody else can use an embedded one, in a file for the next process. */
export type StrikeRecord = { kind: 'file'; file: string } | { kind: 'postgres'; url: string };

/** What the file holds. */
export type LeftBehind = { processId: string; jobIds: string[] };

export const INSERT_STRIKES = 'insert into job_strikes (job_id, process_id) select unnest($1::uuid[]), $2 on conflict do nothing';
const WITHDRAW_STRIKES = 'delete from job_strikes where process_id = $1';
const CONNECT_MS = 5000;

/** Says that these jobs, and no others, keep the process from answering. */
export async function recordStrikes(record: StrikeRecord, { processId, jobIds }: LeftBehind): Promise<void> {
  if (record.kind === 'postgres') return query(record.url, [WITHDRAW_STRIKES, [processId]], [INSERT_STRIKES, [jobIds, processId]]);
  const unfinished = `${record.file}.new`;
  writeFileSync(unfinished, JSON.stringify({ processId, jobIds } satisfies LeftBehind), { mode: 0o600 });
  renameSync(unfinished, record.file);
}

/** The process came through: nothing took it down. */
export async function withdrawStrikes(record: StrikeRecord, processId: string): Promise<void> {
  if (record.kind === 'postgres') return query(record.url, [WITHDRAW_STRIKES, [processId]]);
  rmSync(record.file, { force: true });
}

/** In one transaction, on a connection of its own. */
async function query(url: string, ...statements: [text: string, values: unknown[]][]): Promise<void> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url, application_name: 'groundwork', connectionTimeoutMillis: CONNECT_MS });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('begin');
    for (const [text, values] of statements) await client.query(text, values);
    await client.query('commit');
  } finally {
    await client.end();
  }
}
