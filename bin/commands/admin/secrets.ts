// `svc admin secrets seal`: re-encrypts secrets that are in clear or under an older key.
import type { Command } from 'commander';
import { createSecretBox } from '../../../db/secret-box.ts';
import { sealWebhookSecrets } from '../../../db/webhook-secrets.ts';
import { readSettings } from '../../stack/settings.ts';
import { environmentOf } from '../doctor.ts';
import { withDatabase } from './database.ts';

export function addSecretCommands(admin: Command): void {
  admin
    .command('secrets')
    .description('webhook secrets at rest')
    .command('seal')
    .description('encrypt all of them with the first key of SVC_SECRETS_KEY')
    .action(async () => {
      const environment = environmentOf(readSettings(process.env).dataDirectory, process.env);
      const box = createSecretBox(environment.SVC_SECRETS_KEY ?? '');
      const changed = await withDatabase((db) => sealWebhookSecrets(db, box));
      process.stdout.write(`${changed} encrypted\n`);
    });
}
