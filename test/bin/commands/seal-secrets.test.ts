// `svc admin secrets seal` where a key is lost: what can be read is sealed, the rest is named.
import { randomBytes } from 'node:crypto';
import test from 'ava';
import { examineServices } from '../../../bin/commands/examine-services.ts';
import { openSecretBox } from '../../../bin/process/open-secret-box.ts';
import { missingKeys } from '../../../db/missing-keys.ts';
import { createSecretBox } from '../../../db/secret-box.ts';
import { setSourceCredential, sourceCredentials } from '../../../db/source-credentials.ts';
import { rotateWebhookSecret, webhookSecrets } from '../../../db/webhook-secrets.ts';
import { anAccount, testDatabase } from '../../support/database.ts';
import { withDirectory } from '../../support/speech.ts';
import { callSvc } from '../../support/svc.ts';

test('a secret that no key opens stops no other, and is named with its owner', async (t) => {
  const { db, url } = await testDatabase(t);
  const [lost, old, fresh] = [1, 2, 3].map(() => randomBytes(32).toString('base64'));
  const owners = [await anAccount(db), await anAccount(db)];
  const prefix = 's3://calls/';
  for (const [i, key] of [lost, old].entries()) {
    const by = { organizationId: owners[i]!.organizationId, actor: owners[i]!.keyId };
    const secret = { kind: 'bearer', token: 'open' } as const;
    await rotateWebhookSecret(db, createSecretBox(key!), by);
    await setSourceCredential(db, createSecretBox(key!), { ...by, prefix, secret });
  }
  const env = { DATABASE_URL: url, SVC_SECRETS_KEY: `${fresh},${old}` };
  const { code, stdout, stderr } = await callSvc(env, 'admin', 'secrets', 'seal');
  t.deepEqual([code, stdout], [1, '2 encrypted\n']);
  const [unreadable, readable] = owners.map(({ organizationId }) => organizationId);
  const [, id] = /the key ([0-9a-f]{8})\n/.exec(stderr) ?? [];
  const reason = `SVC_SECRETS_KEY does not contain the key ${id}`;
  t.deepEqual(stderr.trim().split('\n'), [
    `not encrypted: webhook secret of ${unreadable}: ${reason}`,
    `not encrypted: credentials of ${unreadable} for ${prefix}: ${reason}`,
  ]);
  t.deepEqual(await missingKeys(db, createSecretBox(`${fresh},${old}`)), [id]);
  t.deepEqual(await missingKeys(db, createSecretBox(`${fresh},${lost}`)), []);
  t.is((await missingKeys(db, null)).length, 2);
  const told = await new Promise<string>((warn) => openSecretBox(db, fresh, { warn }));
  t.regex(told, new RegExp(`the key ${id}: secrets of webhooks or credentials`));
  const examined = async (SVC_SECRETS_KEY: string) => {
    const findings = await examineServices({ DATABASE_URL: url, SVC_SECRETS_KEY });
    return findings.find(({ part }) => part === 'Secrets');
  };
  t.like(await examined(`${fresh},${lost}`), { healthy: true });
  t.like(await examined(fresh!), { healthy: false, detail: told });
  t.like(await examined(''), { healthy: true, version: null }, 'other machines have the key');
  const now = createSecretBox(fresh!);
  t.is((await webhookSecrets(db, now, readable!)).length, 1);
  t.is((await sourceCredentials(db, now, readable!)).length, 1);
  t.is((await webhookSecrets(db, createSecretBox(lost!), unreadable!)).length, 1);
});

test('where nothing is left to encrypt, no row needs an earlier key', async (t) => {
  const { db, url } = await testDatabase(t);
  const [old, fresh] = [1, 2].map(() => randomBytes(32).toString('base64'));
  const { organizationId, keyId: actor } = await anAccount(db);
  const by = { organizationId, actor };
  // The one before signs for a day.
  for (let i = 0; i < 2; i += 1) await rotateWebhookSecret(db, createSecretBox(old!), by);
  for (const [keys, said] of [
    [`${fresh},${old}`, '1 encrypted\n'],
    [`${fresh},${old}`, '0 encrypted\n'],
    [fresh!, '0 encrypted\n'],
  ] as const) {
    const env = { DATABASE_URL: url, SVC_SECRETS_KEY: keys };
    const { code, stdout, stderr } = await callSvc(env, 'admin', 'secrets', 'seal');
    t.deepEqual([code, stdout, stderr], [0, said, '']);
  }
  t.deepEqual(await missingKeys(db, createSecretBox(fresh!)), []);
  t.is((await webhookSecrets(db, createSecretBox(fresh!), organizationId)).length, 2);
});

test('without a stack or a key it is said which is missing', async (t) => {
  await withDirectory(async (SVC_DATA_DIR) => {
    const env = { SVC_DATA_DIR, DATABASE_URL: '', DATABASE_URL_FILE: '', SVC_SECRETS_KEY: '' };
    const nowhere = await callSvc(env, 'admin', 'secrets', 'seal');
    t.regex(nowhere.stderr, /^svc: no stack is running here; start it or set DATABASE_URL\n$/);
    const { url } = await testDatabase(t);
    const keyless = await callSvc({ ...env, DATABASE_URL: url }, 'admin', 'secrets', 'seal');
    t.regex(keyless.stderr, /^svc: SVC_SECRETS_KEY is not set\n$/);
  });
});
