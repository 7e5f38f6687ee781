// `svc mcp`: the service as tools for language models, over standard input and output.
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Command } from 'commander';
import { connect, serviceAddress, type AddressOptions } from '../client/address.ts';
import { createMcpServer } from '../client/mcp/server.ts';
import { withAddressOptions } from './analysis-options.ts';

const help = `
Speaks the Model Context Protocol; the program that uses the tools starts this command and ends it
by closing its input. Tools: analyse, batch, status, export. Nothing else is written to standard
output.

  {"mcpServers": {"speech": {"command": "node", "args": ["…/bin/svc.ts", "mcp"],
    "env": {"SVC_BASE_URL": "https://…", "SVC_API_KEY": "svc_live_…"}}}}`;

export function addMcpCommand(program: Command): void {
  withAddressOptions(program.command('mcp'))
    .description('tools for language models, over standard input and output')
    .addHelpText('after', help)
    .action((options: AddressOptions) => {
      const client = connect(serviceAddress(options, process.env));
      const onerror = (error: Error): void => void process.stderr.write(`mcp: ${error.message}\n`);
      serveStdio(() => createMcpServer(client, program.version()!), { onerror });
    });
}
