// `svc admin secrets seal`: re-encrypts secrets that are in clear or under an older key.
import type { Command } from 'commander';
import { sealSourceCredentials } from '../../../db/source-credentials.ts';
import { sealWebhookSecrets } from '../../../db/webhook-secrets.ts';
import { secretBox, withDatabase } from './database.ts';

export function addSecretCommands(admin: Command): void {
  admin
    .command('secrets')
    .description('secrets of webhooks and credentials of sources at rest')
    .command('seal')
    .description('encrypt all of them with the first key of SVC_SECRETS_KEY')
    .action(async () => {
      const box = secretBox();
      const changed = await withDatabase(
        async (db) => (await sealWebhookSecrets(db, box)) + (await sealSourceCredentials(db, box)),
      );
      process.stdout.write(`${changed} encrypted\n`);
    });
}
