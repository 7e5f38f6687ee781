// Webhook secrets at rest: sealed, bound to their row, readable through a change of keys.
import { randomBytes } from 'node:crypto';
import test from 'ava';
import { sql } from 'kysely';
import { listAudit } from '../../db/audit.ts';
import { createSecretBox, SecretsKeyInvalid, SecretUnreadable } from '../../db/secret-box.ts';
import {
  rotateWebhookSecret,
  sealWebhookSecrets,
  webhookSecrets,
} from '../../db/webhook-secrets.ts';
import { anAccount, testDatabase } from '../support/database.ts';

const newKey = (): string => randomBytes(32).toString('base64');

test('a sealed secret opens only for its owner, with its key, unchanged', (t) => {
  const [old, fresh] = [newKey(), newKey()];
  const before = createSecretBox(old);
  const sealed = before.seal('whsec_x', 'org_a');
  t.notRegex(sealed, /whsec/);
  t.not(before.seal('whsec_x', 'org_a'), sealed);
  t.is(before.open(sealed, 'org_a'), 'whsec_x');
  t.throws(() => before.open(sealed, 'org_b'), { instanceOf: SecretUnreadable });
  const changed = `${sealed.slice(0, -3)}AAA`;
  t.throws(() => before.open(changed, 'org_a'), { instanceOf: SecretUnreadable });
  t.throws(() => createSecretBox(fresh).open(sealed, 'org_a'), { instanceOf: SecretUnreadable });
  const both = createSecretBox(`${fresh}, ${old}`);
  t.is(both.open(sealed, 'org_a'), 'whsec_x');
  t.false(both.isCurrent(sealed));
  t.true(both.isCurrent(both.seal('whsec_x', 'org_a')));
  for (const wrong of ['', 'short', `${old},`, 'x'.repeat(44)]) {
    t.throws(() => createSecretBox(wrong), { instanceOf: SecretsKeyInvalid }, wrong);
  }
});

test('no secret is stored in clear, and earlier ones are sealed', async (t) => {
  const { db } = await testDatabase(t);
  const [one, other] = [await anAccount(db), await anAccount(db)];
  const key = newKey();
  const box = createSecretBox(key);
  const plain = `whsec_${randomBytes(32).toString('base64')}`;
  const organizationId = other.organizationId;
  await db.insertInto('webhookSecrets').values({ organizationId, secret: plain }).execute();
  const by = { organizationId: one.organizationId, actor: one.keyId };
  const first = await rotateWebhookSecret(db, box, by);
  const second = await rotateWebhookSecret(db, box, by);
  t.deepEqual(await webhookSecrets(db, box, one.organizationId), [second, first]);
  t.deepEqual(await webhookSecrets(db, box, organizationId), [plain]);
  const renewed = createSecretBox(`${newKey()},${key}`);
  t.is(await sealWebhookSecrets(db, renewed), 2);
  t.is(await sealWebhookSecrets(db, renewed), 0);
  t.deepEqual(await webhookSecrets(db, renewed, one.organizationId), [second, first]);
  t.deepEqual(await webhookSecrets(db, renewed, organizationId), [plain]);
  const stored = JSON.stringify(await db.selectFrom('webhookSecrets').selectAll().execute());
  t.notRegex(stored, /whsec_/);
});

test('the last two secrets sign, the older one for 24 hours after the last rotation', async (t) => {
  const { db } = await testDatabase(t);
  const { organizationId, keyId: actor } = await anAccount(db);
  const box = createSecretBox(newKey());
  const rotate = () => rotateWebhookSecret(db, box, { organizationId, actor });
  const signing = () => webhookSecrets(db, box, organizationId);
  const pass = (seconds: number) =>
    sql`UPDATE webhook_secrets
      SET created_at = created_at - make_interval(secs => ${seconds})`.execute(db);
  await rotate();
  const [second, third] = [await rotate(), await rotate()];
  t.deepEqual(await signing(), [third, second], 'the first ends with the second rotation');
  await pass(24 * 3_600 - 60);
  t.deepEqual(await signing(), [third, second]);
  await pass(60);
  t.deepEqual(await signing(), [third]);
  const fourth = await rotate();
  t.deepEqual(await signing(), [fourth, third], 'its day begins with the rotation that ends it');
});

test('a rotation is audited, or it has not happened', async (t) => {
  const { db } = await testDatabase(t);
  const { organizationId, keyId: actor } = await anAccount(db);
  const box = createSecretBox(newKey());
  const secret = await rotateWebhookSecret(db, box, { organizationId, actor });
  const [last] = await listAudit(db, { organizationId, limit: 1 });
  t.like(last, { organizationId, actor, action: 'webhook-secret.rotate' });
  const nobody = { organizationId, actor: null as unknown as string };
  await t.throwsAsync(rotateWebhookSecret(db, box, nobody));
  t.deepEqual(await webhookSecrets(db, box, organizationId), [secret]);
});
