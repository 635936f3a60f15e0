import type * as AiSdk from 'ai';
import type { ToolSet } from 'ai';
import { AppError } from '#lib/errors.ts';
import { mapTexts } from '#lib/map-texts.ts';
import { storable } from '#lib/text.ts';
import type { Logger } from '../observability/log.ts';
import type { Tool } from './model-streams.ts';
import { jsonSchemaOf } from './read-answer.ts';

type Needs = { ai: typeof AiSdk; log: Logger; seconds: number };

/** Our tools as the library takes them. What a tool throws is logged; the model reads of it only what was meant for callers. */
export const sdkTools = (tools: Readonly<Record<string, Tool>>, needs: Needs): ToolSet =>
  Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, sdkTool(name, tool, needs)]));

function sdkTool(name: string, tool: Tool, { ai, log, seconds }: Needs): ToolSet[string] {
  const limit = Math.ceil((tool.seconds ?? seconds) * 1000);
  return ai.tool({
    description: tool.description,
    inputSchema: ai.jsonSchema<unknown>(jsonSchemaOf(tool.input) as object, { validate: (value) => validated(tool, value) }),
    execute: async (input, { toolCallId: callId, abortSignal }) => {
      const late = AbortSignal.timeout(limit);
      const signal = abortSignal ? AbortSignal.any([abortSignal, late]) : late;
      try {
        return (await Promise.race([tool.run(input, { callId, signal }), rejection(signal)])) ?? null;
      } catch (error) {
        if (late.aborted) throw new Error(`The tool ${name} took longer than ${limit / 1000} s.`, { cause: error });
        if (!signal.aborted) log.warn({ err: error, tool: name }, 'a tool failed');
        throw error instanceof AppError ? error : new Error(`The tool ${name} failed.`, { cause: error });
      }
    },
  });
}

/** Rejects with the signal: a tool that does not look at it holds nobody up. */
const rejection = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const give = () => reject(signal.reason as Error);
    if (signal.aborted) give();
    signal.addEventListener('abort', give, { once: true });
  });

function validated(tool: Tool, value: unknown): { success: true; value: unknown } | { success: false; error: Error } {
  const read = tool.input.safeParse(mapTexts(value, storable));
  return read.success ? { success: true, value: read.data } : { success: false, error: read.error };
}
