// `svc admin secrets seal`: re-encrypts secrets that are in clear or under an older key.
import type { Command } from 'commander';
import type { Db } from '../../../db/database.ts';
import { SecretsKept, type SecretBox } from '../../../db/secret-box.ts';
import { sealSourceCredentials } from '../../../db/source-credentials.ts';
import { sealWebhookSecrets } from '../../../db/webhook-secrets.ts';
import { exitCodes } from '../exit-codes.ts';
import { secretBox, withDatabase } from './database.ts';

export function addSecretCommands(admin: Command): void {
  admin
    .command('secrets')
    .description('secrets of webhooks and credentials of sources at rest')
    .command('seal')
    .description(
      'encrypt all of them with the first key of SVC_SECRETS_KEY; exit 1 when one cannot be read',
    )
    .action(async () => {
      const box = secretBox();
      const { changed, kept } = await withDatabase((db) => sealAll(db, box));
      process.stdout.write(`${changed} encrypted\n`);
      for (const reason of kept) process.stderr.write(`not encrypted: ${reason}\n`);
      if (kept.length > 0) process.exitCode = exitCodes.failed;
    });
}

async function sealAll(db: Db, box: SecretBox): Promise<Pick<SecretsKept, 'changed' | 'kept'>> {
  let changed = 0;
  const kept: string[] = [];
  for (const seal of [sealWebhookSecrets, sealSourceCredentials]) {
    try {
      changed += await seal(db, box);
    } catch (error) {
      if (!(error instanceof SecretsKept)) throw error;
      changed += error.changed;
      kept.push(...error.kept);
    }
  }
  return { changed, kept };
}
