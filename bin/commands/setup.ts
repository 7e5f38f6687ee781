// `svc setup` and `svc migrate`: prepare servers before the first process starts.
import type { Command } from 'commander';
import { openDatabase } from '../../db/database.ts';
import { readConfig, type SettingsOf } from '../settings/read-config.ts';
import { migrateSettings, setupSettings } from '../settings/setup-config.ts';
import { storageOf } from '../settings/storage-config.ts';
import { temporalOf } from '../settings/temporal-config.ts';
import { ensureFirstKey } from '../provision/first-key.ts';
import { reserveKeyFile, type KeyFile } from '../provision/key-file.ts';
import type { Step } from '../provision/step.ts';
import { migrate, provisionDatabase, provisionStorage } from '../provision/stores.ts';
import { defaultRetentionDays, provisionTemporal } from '../provision/temporal.ts';
import { parseWhole } from './arguments.ts';

interface SetupOptions {
  readonly organization: string;
  readonly keyFile?: string;
  readonly retentionDays: number;
}

export function addSetupCommands(program: Command): void {
  program
    .command('setup')
    .description('prepare Temporal, PostgreSQL and object storage; existing parts are kept')
    .option('--organization <name>', 'name of the first organization in a new database', 'First')
    .option('--key-file <path>', 'write its key to this new file instead of the terminal')
    .option(
      '--retention-days <n>',
      'how long a new namespace keeps closed workflows',
      parseWhole('--retention-days', 1),
      defaultRetentionDays,
    )
    .action(setUp);
  program
    .command('migrate')
    .description('migrate the schema to this version, before its processes start')
    .action(async () => {
      const config = readConfig(migrateSettings, process.env);
      say([await migrate(databaseOf(config))]);
    });
}

async function setUp({ keyFile, ...options }: SetupOptions): Promise<void> {
  const config = readConfig(setupSettings, process.env);
  const file = keyFile === undefined ? null : reserveKeyFile(keyFile);
  try {
    await prepare(config, options, file);
  } finally {
    file?.close();
  }
}

async function prepare(
  config: SettingsOf<typeof setupSettings>,
  { organization, retentionDays }: Omit<SetupOptions, 'keyFile'>,
  file: KeyFile | null,
): Promise<void> {
  const access = temporalOf(config);
  const taskQueue = config.SVC_TASK_QUEUE;
  say(await provisionDatabase(databaseOf(config)));
  say(await provisionStorage(storageOf(config)));
  say(await provisionTemporal({ access, taskQueue, retentionDays }));
  const db = openDatabase(config.DATABASE_URL, { maxConnections: 1 });
  try {
    const { step, key } = await ensureFirstKey(db, organization, () => file?.requireNew());
    say([step]);
    if (key === null) return;
    if (file === null) process.stdout.write(`API key (shown only once):\n${key}\n`);
    else file.write(key);
  } finally {
    await db.destroy();
  }
}

function databaseOf(config: { DATABASE_URL: string; DATABASE_OWNER_URL?: string | undefined }) {
  return { serviceUrl: config.DATABASE_URL, ownerUrl: config.DATABASE_OWNER_URL ?? null };
}

function say(steps: readonly Step[]): void {
  for (const { outcome, what } of steps) process.stdout.write(`${outcome.padEnd(8)} ${what}\n`);
}
