// `svc admin`: accounts as an operator manages them; every change leaves an audit row.
import type { Command } from 'commander';
import { addAccessCommands } from './access.ts';
import { addKeyCommands } from './keys.ts';
import { addLedgerCommand } from './ledger.ts';
import { addOrganizationCommands } from './organizations.ts';
import { addRedactionCommands } from './redaction.ts';
import { addReportCommands } from './reports.ts';
import { addSecretCommands } from './secrets.ts';
import { addSourceCommands } from './sources.ts';
import { addVocabularyCommands } from './vocabulary.ts';

const example = `
A customer from nothing:
  svc admin org create "Example Ltd" --plan subscription --minutes 10000 --overage 500
  svc admin key create org_… --name production`;

export function addAdminCommand(program: Command): void {
  const admin = program
    .command('admin')
    .description('manage organizations, keys, plans and access')
    .addHelpText('after', example);
  addOrganizationCommands(admin);
  addKeyCommands(admin);
  addAccessCommands(admin);
  addReportCommands(admin);
  addLedgerCommand(admin);
  addRedactionCommands(admin);
  addVocabularyCommands(admin);
  addSecretCommands(admin);
  addSourceCommands(admin);
}
