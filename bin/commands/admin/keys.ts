// `svc admin key`: keys of an organization, from their creation to their end.
import { Option, type Command } from 'commander';
import { createKey, limitKey, listKeys, revokeKey, rotateKey } from '../../../db/api-keys.ts';
import type { KeyLimits } from '../../../models/contract/plans.ts';
import { describeOrganization } from '../../../db/organizations.ts';
import { parseDuration, parseWhole } from '../arguments.ts';
import { operator } from '../../process/operator.ts';
import { printRows, withDatabase, type PrintOptions } from './database.ts';

interface LimitOptions {
  readonly rate?: number;
  readonly concurrency?: number;
}

interface CreateOptions extends LimitOptions {
  readonly test?: boolean;
  readonly name: string;
  readonly expiresIn?: number;
}

interface RotateOptions {
  readonly grace: number;
  readonly again?: boolean;
}

export function addKeyCommands(admin: Command): void {
  const key = admin.command('key').description('API keys: create, list, rotate, revoke, limit');
  withLimitOptions(key.command('create <organization>'), 'the limit of the plan')
    .description('create a key; it is printed only once')
    .option('--test', 'a test key: svc_test_…')
    .option('--name <name>', 'what it is for', '')
    .option('--expires-in <duration>', 'such as 30d', parseDuration)
    .action(async (organizationId: string, options: CreateOptions) => {
      const { test = false, name, expiresIn } = options;
      if (expiresIn === 0) throw new Error('--expires-in must be longer than 0');
      const expiresAt = expiresIn === undefined ? {} : { expiresAt: secondsFromNow(expiresIn) };
      const issued = await withDatabase(async (db) => {
        await describeOrganization(db, organizationId);
        const mode = test ? 'test' : 'live';
        const limits = limitsOf(options);
        const actor = operator();
        return createKey(db, { organizationId, mode, name, limits, actor, ...expiresAt });
      });
      process.stdout.write(`${issued.keyId}\n${issued.key}\n`);
    });
  key
    .command('list <organization>')
    .description('the keys, without their secrets')
    .option('--json', 'print JSON')
    .action(async (organizationId: string, options: PrintOptions) => {
      const keys = await withDatabase(async (db) => {
        await describeOrganization(db, organizationId);
        return listKeys(db, organizationId);
      });
      const rows = keys.map(({ createdAt, expiresAt, revokedAt, ...rest }) => ({
        ...rest,
        createdAt: createdAt.toISOString(),
        expiresAt: expiresAt?.toISOString() ?? null,
        revokedAt: revokedAt?.toISOString() ?? null,
      }));
      printRows(rows, options);
    });
  key
    .command('rotate <key>')
    .description('create a successor; the old key works for the grace time')
    .addOption(
      new Option('--grace <duration>', 'how long').argParser(parseDuration).default(86_400, '24h'),
    )
    .option('--again', 'also when it has a successor, which stays valid; it may only end earlier')
    .action(async (keyId: string, { grace, again = false }: RotateOptions) => {
      const change = { graceSeconds: grace, actor: operator(), again };
      const issued = await withDatabase((db) => rotateKey(db, keyId, change));
      process.stdout.write(`${issued.keyId}\n${issued.key}\n`);
    });
  key
    .command('revoke <key>')
    .description('reject the key from now on')
    .action(async (keyId: string) => {
      await withDatabase((db) => revokeKey(db, keyId, operator()));
      process.stdout.write(`${keyId}: revoked\n`);
    });
  withLimitOptions(key.command('limit <key>'), 'as it is')
    .description('change the limits of a key')
    .action(async (keyId: string, options: LimitOptions) => {
      const limits = limitsOf(options);
      if (Object.keys(limits).length === 0) throw new Error('give --rate, --concurrency or both');
      await withDatabase((db) => limitKey(db, keyId, { limits, actor: operator() }));
      process.stdout.write(`${keyId}: ${JSON.stringify(limits)}\n`);
    });
}

function withLimitOptions(command: Command, fallback: string): Command {
  return command
    .option('--rate <n>', `requests a minute; default: ${fallback}`, parseWhole('--rate', 1))
    .option(
      '--concurrency <n>',
      `concurrent requests; default: ${fallback}`,
      parseWhole('--concurrency', 1),
    );
}

function limitsOf({ rate, concurrency }: LimitOptions): Partial<KeyLimits> {
  return {
    ...(rate !== undefined && { requestsPerMinute: rate }),
    ...(concurrency !== undefined && { maxConcurrent: concurrency }),
  };
}

function secondsFromNow(seconds: number): Date {
  return new Date(Date.now() + seconds * 1_000);
}
