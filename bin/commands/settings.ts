// `svc settings`: every variable that the roles read, as a table in Markdown.
import type { Command } from 'commander';
import { settingsTable } from '../process/settings-table.ts';

export function addSettingsCommand(program: Command): void {
  program
    .command('settings')
    .description('list every setting with its roles and default')
    .action(() => {
      process.stdout.write(`${settingsTable()}\n`);
    });
}
