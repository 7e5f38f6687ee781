// `svc admin` as an operator types it: a customer from creation to deletion.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { createSecretBox } from '../../../db/secret-box.ts';
import { sourceCredentials } from '../../../db/source-credentials.ts';
import { storageOf } from '../../../db/storage-quota.ts';
import { findRedaction } from '../../../db/redaction-defaults.ts';
import { testDatabase } from '../../support/database.ts';
import { withDirectory } from '../../support/speech.ts';
import { callSvc } from '../../support/svc.ts';

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
  const termsOf = async () => {
    const [shown] = JSON.parse(await admin('org', 'show', org, '--json')) as any[];
    return [shown.plan, shown.planMinutes, shown.overageMinutes];
  };
  await admin('plan', 'set', org, '--plan', 'subscription', '--overage', '1000');
  t.deepEqual(await termsOf(), ['subscription', 100, 1_000]);
  await admin('plan', 'set', org, '--minutes', '50');
  t.deepEqual(await termsOf(), ['subscription', 50, 1_000]);
  const paid = await t.throwsAsync(admin('plan', 'credit', org, '5'));
  t.regex((paid as unknown as { stderr: string }).stderr, /plan subscription pays with minutes/);
  await admin('plan', 'set', org, '--plan', 'credits');
  const credit = (usd: string, reference: string) =>
    admin('plan', 'credit', org, usd, '--reference', reference);
  t.regex(await credit('12.50', 'invoice-7'), /12\.500000/);
  t.regex(await credit('12.50', 'invoice-7'), /12\.500000/, 'once, however often it is said');
  for (const [usd, reference, why] of [
    ['12', 'invoice-7', /invoice-7 has added 12\.500000 USD, not 12\.000000/],
    ['1', 'a b', /--reference takes 1 to 128 visible ASCII characters; character 2 is a space/],
  ] as const) {
    const refused = await t.throwsAsync(credit(usd, reference));
    t.regex((refused as unknown as { stderr: string }).stderr, why);
  }
  await admin('org', 'suspend', org);
  const [row] = JSON.parse(await admin('org', 'show', org, '--json')) as any[];
  t.like(row, { name: 'Example', plan: 'credits', suspended: true, creditUsd: '12.500000' });
  t.like(row, { periodSince: null, planMinutes: null, leftSeconds: null, erasedAt: null });
  t.like(row, { storedGib: 0, files: 0 });
  t.deepEqual([typeof row.storageGib, typeof row.maxFiles], ['number', 'number']);
  const later = await admin('plan', 'set', org, '--plan', 'subscription', '--minutes', '5');
  t.regex(later, / 12\.500000$/, 'credits are kept, and shown');
  await admin('org', 'resume', org);
  await admin('key', 'revoke', keyId);
  await admin('access', 'approve', org);
  await admin('plan', 'storage', org, '--files', '7');
  await admin('plan', 'storage', org, '--gib', '3');
  const { quota } = await storageOf(db, org);
  t.deepEqual(quota, { bytes: 3 * 2 ** 30, files: 7 }, 'what is not named stays');
  await admin('plan', 'storage', org);
  t.not((await storageOf(db, org)).quota.files, 7);
  await withDirectory(async (folder) => {
    const file = join(folder, 'names.txt');
    await writeFile(file, 'Ann Lee\n\nMüller\n');
    const set = await admin('redaction', 'set', org, '--kinds', 'phone,card', '--names-file', file);
    t.is(set, `${org}: card, phone, 2 hashes of names`);
    await writeFile(file, '\n');
    const none = ['redaction', 'set', org, '--kinds', 'card', '--names-file', file] as const;
    const nameless = await t.throwsAsync(admin(...none));
    t.regex((nameless as unknown as { stderr: string }).stderr, /--names-file has no names/);
  });
  const rules = await findRedaction(db, org);
  t.deepEqual(rules?.names.map((hash) => hash.replace(/:[0-9a-f]{16}$/, '')).toSorted(), [
    '1',
    '2',
  ]);
  await admin('redaction', 'clear', org);
  t.is(await admin('redaction', 'show', org), `${org}: nothing`);
  await withDirectory(async (folder) => {
    const file = join(folder, 'terms.txt');
    await writeFile(file, 'Siobhan\n\n Ann  Lee\n');
    t.is(await admin('vocabulary', 'set', org, '--terms-file', file), `${org}: 2 terms`);
    await writeFile(file, 'B');
    const short = await t.throwsAsync(admin('vocabulary', 'set', org, '--terms-file', file));
    t.regex((short as unknown as { stderr: string }).stderr, /at least 2 characters .* got "B"/);
  });
  t.is(await admin('vocabulary', 'show', org), 'Siobhan\nAnn Lee');
  await admin('vocabulary', 'clear', org);
  t.is(await admin('vocabulary', 'show', org), '');
  await admin('org', 'suspend', org);
  t.is(
    await admin('org', 'erase', org),
    `${org}: erased; the next sweeps delete its recordings and results`,
  );
  const [erased] = JSON.parse(await admin('org', 'show', org, '--json')) as any[];
  t.false(Number.isNaN(Date.parse(erased.erasedAt)));
  t.is(await admin('usage', org, '--json'), '[]');
  t.is(await admin('usage', org, '--from', '2026-11-01'), 'no usage since 2026-11-01');
  const audit = JSON.parse(await admin('audit', '--org', org, '--json')) as any[];
  t.is(audit.length, 23);
  t.true(audit.every(({ actor }) => actor.startsWith('operator:')));
  t.is((await db.selectFrom('organizations').selectAll().execute()).length, 1);
});

test('an operator’s mistake is reported, and nothing is changed', async (t) => {
  const { db, url } = await testDatabase(t);
  const admin = operatorOf(url);
  for (const [args, message] of [
    [['org', 'create', 'X', '--plan', 'gold'], /trial, subscription, credits/],
    [['org', 'create', 'X', '--plan', 'trial', '--minutes', 'ten'], /whole number/],
    [['org', 'create', 'X', '--plan', 'trial', '--minutes', '99999999'], /from 0 to 35791394/],
    [['plan', 'storage', 'org_1', '--gib', '9999999'], /from 0 to 8388607/],
    [['org', 'create', '', '--plan', 'trial', '--minutes', '5'], /needs a name/],
    [['org', 'create', 'X', '--plan', 'trial'], /a trial needs --minutes of at least 1/],
    [
      ['org', 'create', 'X', '--plan', 'trial', '--minutes', '1', '--overage', '5'],
      /overage is for subscriptions/,
    ],
    [['plan', 'set', 'org_none'], /no organization org_none/],
    [['usage', 'org_none'], /no organization org_none/],
    [['org', 'show', 'org_none'], /no organization org_none/],
    [['org', 'erase', 'org_none'], /no organization org_none/],
    [['key', 'create', 'org_none'], /no organization/],
    [['key', 'create', 'org_none', '--expires-in', '0d'], /--expires-in must be longer than 0/],
    [['key', 'revoke', 'key_none'], /no key key_none/],
    [['audit', '--org', 'org_none'], /no organization org_none/],
    [['plan', 'credit', 'org_none', '-5'], /positive amount|unknown option/],
    [['access', 'approve', 'org_none'], /no organization/],
    [
      ['access', 'approve', 'org_none', '--model', 'x'],
      /x needs no approval; svc-resonance-2 does/,
    ],
    [['access', 'show', 'org_none'], /no organization/],
    [['redaction', 'set', 'org_none', '--kinds', 'faces'], /takes card, account, phone, email/],
    [['redaction', 'set', 'org_none'], /give --kinds, --names-file or both/],
    [['redaction', 'set', 'org_none', '--kinds', 'card'], /no organization org_none/],
    [['vocabulary', 'show', 'org_none'], /no organization org_none/],
  ] as const) {
    const error = await t.throwsAsync(admin(...args), undefined, args.join(' '));
    t.regex((error as unknown as { stderr: string }).stderr, message, args.join(' '));
  }
  t.is((await db.selectFrom('audit').selectAll().execute()).length, 0);
});

test('credentials of sources come from standard input, and are stored encrypted', async (t) => {
  const { db, url } = await testDatabase(t);
  const org = await operatorOf(url)('org', 'create', 'Example', '--plan', 'credits');
  const key = randomBytes(32).toString('base64');
  const folder = await mkdtemp(join(tmpdir(), 'svc-admin-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const keyFile = join(folder, 'secrets-key');
  await writeFile(keyFile, `${key}\n`);
  const env = { ...process.env, DATABASE_URL: url, SVC_SECRETS_KEY_FILE: keyFile };
  const admin = async (secret: string, ...args: readonly string[]): Promise<string> => {
    const ended = run(process.execPath, [svc, 'admin', 'source', ...args], { env });
    ended.child.stdin!.end(secret);
    return ended.then(
      ({ stdout }) => stdout.trim(),
      ({ stderr }: { readonly stderr: string }) => stderr.trim(),
    );
  };
  const calls = 'https://media.example.com/calls/';
  t.is(
    await admin('open\n', 'set', org, calls.slice(0, -1), '--bearer'),
    `${org} ${calls}: bearer`,
  );
  const bucket = ['s3://calls', '--access-key-id', 'AKIA', '--region', 'eu-west-1'];
  t.is(await admin('hidden', 'set', org, ...bucket), `${org} s3://calls/: s3`);
  const [row] = await db.selectFrom('sourceCredentials').selectAll().execute();
  t.regex(row!.secret, /^sealed:1:/);
  const opened = await sourceCredentials(db, createSecretBox(key), org);
  t.deepEqual(opened.find(({ prefix }) => prefix === calls)?.secret, {
    ...{ kind: 'bearer', token: 'open' },
  });
  for (const [secret, args, message] of [
    ['', [calls, '--bearer'], /was empty/],
    ['a\nb', [calls, '--bearer'], /one line/],
    ['a', [calls], /one of --bearer/],
    ['a', [calls, '--access-key-id', 'b'], /is for s3/],
    ['a', ['s3://calls', '--bearer'], /is for s3/],
    ['a', ['example.com', '--bearer'], /PREFIX must be/],
  ] as const)
    t.regex(await admin(secret, 'set', org, ...args), message);
  const sealed = await run(process.execPath, [svc, 'admin', 'secrets', 'seal'], { env });
  t.is(sealed.stdout, '0 encrypted\n');
  t.regex(await admin('', 'list', org), /bearer[^]*s3:\/\/calls\//);
  t.is(await admin('', 'remove', org, calls), `${org} ${calls}: removed`);
  t.regex(await admin('', 'remove', org, calls), /there are no credentials/);
  const audit = await db.selectFrom('audit').select(['action', 'details']).execute();
  t.true(audit.some(({ action }) => action === 'source.remove'));
  t.false(JSON.stringify(audit).includes('hidden'));
});

test('what is asked of an organization that does not exist is an error', async (t) => {
  const { url } = await testDatabase(t);
  const org = 'org_000000000000000000000000';
  for (const args of [
    ['key', 'list', org],
    ['source', 'list', org],
    ['vocabulary', 'show', org],
    ['redaction', 'show', org],
    ['access', 'show', org],
    ['usage', org],
    ['org', 'show', org],
    ['audit', '--org', org],
  ]) {
    const { code, stdout, stderr } = await callSvc({ DATABASE_URL: url }, 'admin', ...args);
    t.deepEqual([code, stdout], [1, ''], args.join(' '));
    t.is(stderr, `svc: there is no organization ${org}\n`);
  }
});
