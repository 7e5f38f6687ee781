// The frame of a tool: its schema, its failures as text, and its progress.
import type {
  CallToolResult,
  McpServer,
  ServerContext,
  ToolAnnotations,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { SpeechClient } from '../../../clients/typescript/src/client.ts';
import { SpeechServiceError } from '../../../clients/typescript/src/service-error.ts';

export interface Tool<Input extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly annotations: ToolAnnotations;
  /** @throws what the caller is told as the failure of the call */
  readonly run: (input: z.output<Input>, call: ToolCall) => Promise<ToolAnswer>;
}

export interface ToolCall {
  readonly client: SpeechClient;
  /** Aborted when the call is cancelled. */
  readonly signal: AbortSignal;
  /** Tells a client that has asked for progress; it then waits on. */
  readonly progress: (step: ToolProgress) => void;
}

export interface ToolProgress {
  readonly done: number;
  readonly total?: number;
  readonly message: string;
}

/** What a model reads, and the same for programs. */
export interface ToolAnswer {
  readonly text: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

export function addTool<Input extends z.ZodObject>(
  server: McpServer,
  client: SpeechClient,
  { name, input, run, ...about }: Tool<Input>,
): void {
  const config = { ...about, inputSchema: strict(name, input) };
  server.registerTool(name, config, async (given, context): Promise<CallToolResult> => {
    const { signal } = context.mcpReq;
    const call = { client, signal, progress: progressOf(context) };
    try {
      const { text, data } = await run(given as z.output<Input>, call);
      const content = [{ type: 'text' as const, text }];
      return { content, ...(data && { structuredContent: { ...data } }) };
    } catch (error) {
      return { content: [{ type: 'text', text: describe(error) }], isError: true };
    }
  });
}

/** A misspelt argument may be one that removes something from a transcript. */
function strict(name: string, { shape }: z.ZodObject): z.ZodObject {
  const allowed = Object.keys(shape).map((argument) => `\`${argument}\``);
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') return undefined;
      const unknown = issue.keys.map((argument) => `\`${argument.slice(0, 64)}\``);
      return `${name} takes ${allowed.join(', ')}, got ${unknown.join(', ')}`;
    },
  });
}

function progressOf({ mcpReq }: ServerContext): ToolCall['progress'] {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  return ({ done: progress, total, message }) => {
    const params = { progressToken, progress, message, ...(total !== undefined && { total }) };
    // A client that is gone needs no progress.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}

function describe(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof SpeechServiceError ? `${error.code}: ${message}` : message;
}
