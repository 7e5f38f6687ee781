// `svc admin` as an operator types it: a customer from creation to deletion.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { findRedaction } from '../../../db/redaction-defaults.ts';
import { testDatabase } from '../../support/database.ts';
import { withDirectory } from '../../support/speech.ts';

const run = promisify(execFile);
const svc = join(import.meta.dirname, '..', '..', '..', 'bin', 'svc.ts');

function operatorOf(url: string) {
  const env = { ...process.env, DATABASE_URL: url };
  return async (...args: readonly string[]): Promise<string> =>
    (await run(process.execPath, [svc, 'admin', ...args], { env })).stdout.trim();
}

test('organizations, keys, plans, usage and audit', async (t) => {
  const { db, url } = await testDatabase(t);
  const admin = operatorOf(url);
  const org = await admin('org', 'create', 'Example', '--plan', 'trial', '--minutes', '10');
  t.regex(org, /^org_[0-9a-f]{24}$/);
  const [keyId = '', key = ''] = (await admin('key', 'create', org, '--name', 'one')).split('\n');
  t.regex(key, /^svc_live_[0-9a-f]{16}_[A-Za-z0-9_-]{43}$/);
  await admin('key', 'limit', keyId, '--rate', '60');
  const [, next = ''] = (await admin('key', 'rotate', keyId, '--grace', '0s')).split('\n');
  t.regex(next, /^svc_live_/);
  const keys = JSON.parse(await admin('key', 'list', org, '--json')) as { keyId: string }[];
  t.is(keys.length, 2);
  t.false(JSON.stringify(keys).includes(next.slice(-43)));
  await admin(
    'plan',
    'set',
    org,
    '--plan',
    'subscription',
    '--minutes',
    '100',
    '--overage',
    'unlimited',
  );
  await admin('plan', 'set', org, '--plan', 'credits');
  t.regex(await admin('plan', 'credit', org, '12.50'), /12\.500000/);
  await admin('org', 'suspend', org);
  const [row] = JSON.parse(await admin('org', 'show', org, '--json')) as any[];
  t.like(row, { name: 'Example', plan: 'credits', suspended: true, creditUsd: '12.500000' });
  await admin('org', 'resume', org);
  await admin('key', 'revoke', keyId);
  await admin('access', 'approve', org);
  await withDirectory(async (folder) => {
    const file = join(folder, 'names.txt');
    await writeFile(file, 'Ann Lee\n\nMüller\n');
    const set = await admin('redaction', 'set', org, '--kinds', 'phone,card', '--names-file', file);
    t.is(set, `${org}: card, phone, 2 names`);
  });
  const rules = await findRedaction(db, org);
  t.deepEqual(rules?.names.map((hash) => hash.replace(/:[0-9a-f]{16}$/, '')).toSorted(), [
    '1',
    '2',
  ]);
  await admin('redaction', 'clear', org);
  t.is(await admin('redaction', 'show', org), `${org}: nothing`);
  t.is(await admin('usage', org, '--json'), '[]');
  const audit = JSON.parse(await admin('audit', '--org', org, '--json')) as any[];
  t.is(audit.length, 13);
  t.true(audit.every(({ actor }) => actor.startsWith('operator:')));
  t.is((await db.selectFrom('organizations').selectAll().execute()).length, 1);
});

test('an operator’s mistake is reported, and nothing is changed', async (t) => {
  const { db, url } = await testDatabase(t);
  const admin = operatorOf(url);
  for (const [args, message] of [
    [['org', 'create', 'X', '--plan', 'gold'], /trial, subscription, credits/],
    [['org', 'create', 'X', '--plan', 'trial', '--minutes', 'ten'], /whole number/],
    [['org', 'create', 'X', '--plan', 'trial', '--overage', '5'], /overage is for subscriptions/],
    [['org', 'show', 'org_none'], /no organization org_none/],
    [['key', 'create', 'org_none'], /no organization/],
    [['key', 'revoke', 'key_none'], /no key key_none/],
    [['plan', 'credit', 'org_none', '-5'], /positive amount|unknown option/],
    [['access', 'approve', 'org_none'], /no organization/],
    [['redaction', 'set', 'org_none', '--kinds', 'faces'], /takes card, account, phone, email/],
    [['redaction', 'set', 'org_none'], /give --kinds, --names-file or both/],
    [['redaction', 'set', 'org_none', '--kinds', 'card'], /no organization org_none/],
  ] as const) {
    const error = await t.throwsAsync(admin(...args), undefined, args.join(' '));
    t.regex((error as unknown as { stderr: string }).stderr, message, args.join(' '));
  }
  t.is((await db.selectFrom('audit').selectAll().execute()).length, 0);
});
