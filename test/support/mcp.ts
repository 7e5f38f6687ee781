// `svc mcp` as a program for language models uses it: started and called by the SDK's own client.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { patientMs } from './patience.ts';
import { svcCommand } from './svc.ts';

export interface ToolOutcome {
  readonly text: string;
  readonly failed: boolean;
  readonly data: any;
}

export interface McpTools {
  readonly names: readonly string[];
  /** What each takes, as JSON Schema. */
  readonly inputs: readonly Readonly<Record<string, unknown>>[];
  /** Messages of progress, of all calls. */
  readonly progress: readonly string[];
  readonly call: (name: string, input: Readonly<Record<string, unknown>>) => Promise<ToolOutcome>;
}

/** @param environment variables beside those of this process */
export async function withMcp<T>(
  environment: Readonly<Record<string, string>>,
  work: (tools: McpTools) => Promise<T>,
): Promise<T> {
  const [command, args] = svcCommand('mcp');
  const env = { ...(process.env as Record<string, string>), ...environment };
  const transport = new StdioClientTransport({ command, args: [...args], env });
  const client = new Client({ name: 'test', version: '1' });
  const progress: string[] = [];
  await client.connect(transport);
  try {
    const { tools } = await client.listTools();
    return await work({
      names: tools.map(({ name }) => name),
      inputs: tools.map(({ inputSchema }) => inputSchema),
      progress,
      call: async (name, input) => {
        const onprogress = ({ message = '' }): void => void progress.push(message);
        const answer = await client.callTool(
          { name, arguments: input },
          {
            ...{ onprogress, timeout: patientMs },
          },
        );
        const text = answer.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
        return { text, failed: answer.isError === true, data: answer.structuredContent };
      },
    });
  } finally {
    await client.close();
  }
}
