/** The only place that reads the process environment: trimmed, empty strings count as unset. */
export type Env = Readonly<Record<string, string | undefined>>;

export function readEnv(source: NodeJS.ProcessEnv = process.env): Env {
  const env: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(source)) {
    const trimmed = value?.trim();
    if (trimmed) env[name] = trimmed;
  }
  return env;
}
