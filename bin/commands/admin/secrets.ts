// `svc admin secrets seal`: seals again what the database has under an older key, or in clear.
import type { Command } from 'commander';
import { createSecretBox } from '../../../db/secret-box.ts';
import { sealWebhookSecrets } from '../../../db/webhook-secrets.ts';
import { readSettings } from '../../stack/settings.ts';
import { environmentOf } from '../doctor.ts';
import { withDatabase } from './database.ts';

export function addSecretCommands(admin: Command): void {
  admin
    .command('secrets')
    .description('secrets of webhooks at rest')
    .command('seal')
    .description('seal all of them with the first key of SVC_SECRETS_KEY')
    .action(async () => {
      const environment = environmentOf(readSettings(process.env).dataDirectory, process.env);
      const box = createSecretBox(environment.SVC_SECRETS_KEY ?? '');
      const changed = await withDatabase((db) => sealWebhookSecrets(db, box));
      process.stdout.write(`${changed} sealed\n`);
    });
}
