// `svc admin`: what an operator decides about accounts; every change leaves an audit row.
import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { openDatabase } from '../../db/database.ts';
import { accessState, decideAccess } from '../../db/model-access.ts';
import { readSettings } from '../stack/settings.ts';
import { environmentOf } from './doctor.ts';

const decisions = { approve: 'approved', deny: 'denied', revoke: 'revoked' } as const;

/** Adds `admin access approve|deny|revoke|show ORGANIZATION`. */
export function addAdminCommand(program: Command): void {
  const access = program
    .command('admin')
    .description('decide about accounts')
    .command('access')
    .description('access to models that need approval');
  for (const [verb, status] of Object.entries(decisions)) {
    access
      .command(`${verb} <organization>`)
      .description(`${verb} the organization's access`)
      .option('--model <id>', 'the model', 'svc-resonance-2')
      .action(async (organizationId: string, { model }: { model: string }) => {
        const actor = `operator:${userInfo().username}`;
        await withDatabase((db) => decideAccess(db, { organizationId, model, status, actor }));
        process.stdout.write(`${organizationId} ${model}: ${status}\n`);
      });
  }
  access
    .command('show <organization>')
    .description("print the organization's access")
    .option('--model <id>', 'the model', 'svc-resonance-2')
    .action(async (organizationId: string, { model }: { model: string }) => {
      const state = await withDatabase((db) => accessState(db, organizationId, model));
      process.stdout.write(`${organizationId} ${model}: ${state}\n`);
    });
}

async function withDatabase<T>(work: (db: ReturnType<typeof openDatabase>) => Promise<T>) {
  const { DATABASE_URL } = environmentOf(readSettings(process.env).dataDirectory, process.env);
  if (!DATABASE_URL) throw new Error('no stack is running here; start it or set DATABASE_URL');
  const db = openDatabase(DATABASE_URL);
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}
