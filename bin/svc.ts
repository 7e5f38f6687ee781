// The command line: `npm run svc -- <command>`.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { addCompletionCommand } from './commands/completion.ts';
import { exitCodes, Unchecked } from './commands/exit-codes.ts';
import { addCommands } from './commands/load-commands.ts';
import { reasonOf } from './process/describe-error.ts';

const packageFile = join(import.meta.dirname, '..', 'package.json');
const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { readonly version: string };
const program = new Command('svc')
  .version(version, '--version', 'print the version')
  .description('Analyses recordings with the speech-analysis service, and operates it.')
  // One line for each error, also where a word is suggested instead.
  .configureOutput({
    outputError: (text, write) => {
      const reason = text
        .replace(/^error: /, '')
        .trim()
        .replaceAll(/\s*\n\s*/g, ' ');
      const [, option = ''] = /^unknown option '(.*)'/.exec(reason) ?? [];
      const hint = existsSync(option)
        ? 'put -- before names that begin with a dash'
        : '--help lists what there is';
      write(`svc: ${reason}; ${hint}\n`);
    },
  });
await addCommands(program, process.argv[2]);
addCompletionCommand(program);

// `svc … | head` closes the pipe once it has read enough.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    throw error;
  });
}

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`svc: ${reasonOf(error)}\n`);
  process.exitCode = error instanceof Unchecked ? exitCodes.unchecked : exitCodes.failed;
}
