// `svc settings`: prints the settings of all roles as a Markdown table.
import type { Command } from 'commander';
import { settingsTable } from '../settings/settings-table.ts';

export function addSettingsCommand(program: Command): void {
  program
    .command('settings')
    .description('list every setting with its roles and default')
    .action(() => {
      process.stdout.write(`${settingsTable()}\n`);
    });
}
