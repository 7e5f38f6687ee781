// An erased organization: what it stored is swept, what it was charged stays, others keep theirs.
import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { sweep } from '../../activities/sweep.ts';
import { closeBatch } from '../../db/close-batch.ts';
import { eraseOrganization } from '../../db/erase-organization.ts';
import { setSuspended } from '../../db/organizations.ts';
import { createSecretBox } from '../../db/secret-box.ts';
import { setSourceCredential } from '../../db/source-credentials.ts';
import { setVocabulary } from '../../db/vocabulary-defaults.ts';
import { rotateWebhookSecret } from '../../db/webhook-secrets.ts';
import { aBatch } from '../support/batch-rows.ts';
import { testDatabase } from '../support/database.ts';
import { testObjectStore } from '../support/object-store.ts';

const actor = 'operator:test';

test('an erased organization leaves what it was charged, and nothing that it stored', async (t) => {
  const [{ db }, objects] = await Promise.all([testDatabase(t), testObjectStore(t)]);
  const { id, organizationId } = await aBatch(db, objects, [Buffer.from('a'), Buffer.from('b')]);
  const change = { organizationId, actor };
  const box = createSecretBox(Buffer.alloc(32).toString('base64'));
  await setVocabulary(db, { ...change, terms: ['Siobhan'] });
  await rotateWebhookSecret(db, box, change);
  const secret = { kind: 'bearer', token: 'hidden' } as const;
  await setSourceCredential(db, box, { ...change, prefix: 'https://example.com/', secret });

  await t.throwsAsync(eraseOrganization(db, change), { message: /is active; suspend it first/ });
  t.is((await db.selectFrom('webhookSecrets').selectAll().execute()).length, 1);
  await setSuspended(db, { ...change, suspended: true });
  await eraseOrganization(db, change);
  await eraseOrganization(db, change);

  for (const table of ['webhookSecrets', 'sourceCredentials'] as const)
    t.deepEqual(await db.selectFrom(table).selectAll().execute(), [], table);
  const [organization] = await db.selectFrom('organizations').selectAll().execute();
  t.like(organization, { id: organizationId, vocabulary: [], suspended: true });
  const keys = await db.selectFrom('apiKeys').select(['name', 'revokedAt']).execute();
  t.true(keys.length > 0 && keys.every(({ name, revokedAt }) => name === '' && revokedAt));

  // Its batch goes once it has ended, and the files with it.
  const dependencies = { db, objects, workflowState: async () => 'running' };
  const pass = () =>
    new MockActivityEnvironment().run(() => sweep(dependencies as unknown as ActivityDependencies));
  await pass();
  t.is((await db.selectFrom('batches').selectAll().execute()).length, 1);
  await closeBatch(db, id, 'failed');
  await pass();
  for (const table of ['batches', 'batchItems', 'files', 'recordings'] as const)
    t.deepEqual(await db.selectFrom(table).selectAll().execute(), [], table);
  t.deepEqual(await objects.list(''), []);
  t.is((await db.selectFrom('requests').selectAll().execute()).length, 2);
  const audit = await db.selectFrom('audit').select('action').execute();
  t.is(audit.filter(({ action }) => action === 'organization.erase').length, 2);
});
