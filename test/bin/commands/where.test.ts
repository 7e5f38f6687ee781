// `svc where` and `svc backlog` as an operator types them.
import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@temporalio/client';
import test from 'ava';
import { Registry } from 'prom-client';
import { registerBacklog } from '../../../bin/process/backlog.ts';
import { createBatch } from '../../../db/create-batch.ts';
import { createFile } from '../../../db/files.ts';
import { claimRequest } from '../../../db/requests.ts';
import { sourceQueue } from '../../../workflows/ids.ts';
import { anAccount, testDatabase } from '../../support/database.ts';
import { testServers } from '../../support/environment.ts';
import { connectPatiently } from '../../support/patience.ts';
import { until } from '../../support/until.ts';

const run = promisify(execFile);
const svc = join(import.meta.dirname, '..', '..', '..', 'bin', 'svc.ts');

test("a call is found by its id or by its customer's, without the organization", async (t) => {
  const { db, url } = await testDatabase(t);
  const [one, other] = [await anAccount(db), await anAccount(db)];
  for (const { organizationId, keyId } of [one, other]) {
    const named = { organizationId, keyId, requestId: 'call-1', fingerprint: 'f' };
    const work = { task: 'emotion', model: 'svc-resonance', ratePerMinute: 0 } as const;
    await claimRequest(db, { ...named, ...work, uploadKey: `uploads/${keyId}` });
  }
  const { organizationId, keyId } = one;
  const kept = { organizationId, lifetimeSeconds: 60, idempotencyKey: null, fingerprint: 'f' };
  const audio = { container: 'wav', bytes: 10, sha256: null } as const;
  const file = await createFile(db, { ...kept, objectKey: 'uploads/2', filename: 'x', audio });
  const upload = { key: 'uploads/2', container: audio.container, bytes: audio.bytes };
  const item = { metadata: {}, fileId: file!.id, upload };
  const batch = await createBatch(db, {
    ...{ ...kept, keyId, task: 'analysis', model: 'svc-resonance', options: {}, metadata: {} },
    ...{ webhookUrl: null, items: [{ ...item, customId: 'crm 4711' }] },
  });

  const env = { ...process.env, DATABASE_URL: url };
  const where = async (id: string): Promise<any[]> => {
    const { stdout } = await run(process.execPath, [svc, 'where', id, '--json'], { env });
    return JSON.parse(stdout) as any[];
  };
  const found = await where('call-1');
  t.deepEqual(
    new Set(found.map((row) => row.organizationId)),
    new Set([one.organizationId, other.organizationId]),
  );
  t.true(found.every((row) => row.workflow.startsWith(`req/${row.organizationId}/`)));
  const [waiting, ...rest] = await where('crm 4711');
  t.like(waiting, {
    ...{ organizationId, batchId: batch!.id, requestId: `${batch!.id} 0`, state: 'queued' },
    workflow: `batch/${organizationId}/${batch!.id}`,
  });
  t.true(waiting.ownWorkflow.startsWith(`req/${organizationId}/`));
  t.is(rest.length, 0);
  const requestId = `${batch!.id} 0`;
  const claimed = { organizationId, keyId, requestId, fingerprint: 'f' };
  const work = { task: 'analysis', model: 'svc-resonance', ratePerMinute: 0 } as const;
  await claimRequest(db, { ...claimed, ...work, uploadKey: 'uploads/3' });
  await db
    .updateTable('requests')
    .set({ batchId: batch!.id })
    .where('requestId', '=', requestId)
    .execute();
  const told = await run(
    process.execPath,
    [svc, 'admin', 'request', organizationId, requestId, '--json'],
    { env },
  );
  const { workflow, ownWorkflow } = waiting;
  t.like(JSON.parse(told.stdout)[0], { batchId: batch!.id, workflow, ownWorkflow });
  t.like((await where(batch!.id))[0], {
    ...{ organizationId, batchId: batch!.id, items: 1, task: 'analysis' },
    workflow: `batch/${organizationId}/${batch!.id}`,
  });
  // A key of one customer may be the id of another's call.
  const jobId = randomUUID();
  for (const idempotencyKey of ['monday', 'call-1', `hume ${jobId}`]) {
    const keyed = { ...kept, keyId, idempotencyKey };
    await createBatch(db, {
      ...{ ...keyed, task: 'analysis', model: 'svc-resonance', options: {}, metadata: {} },
      ...{ webhookUrl: null, items: [{ ...item, customId: 'a' }] },
    });
  }
  const byKey = await where('monday');
  t.is(byKey.length, 1);
  t.like(byKey[0], { organizationId, idempotencyKey: 'monday', items: 1, status: 'validating' });
  t.is(byKey[0].workflow, `batch/${organizationId}/${byKey[0].batchId}`);
  t.is((await where(jobId))[0].idempotencyKey, `hume ${jobId}`, "a job of Hume's clients");
  const both = await where('call-1');
  t.deepEqual([both.length, both.filter((row) => 'items' in row).length], [3, 1]);
  await t.throwsAsync(where('nowhere'), { message: /no request or batch has the id "nowhere"/ });
});

test('tasks without a poller are backlog, for the operator and for Prometheus', async (t) => {
  const address = testServers().temporalAddress;
  const connection = await connectPatiently(address);
  t.teardown(() => connection.close());
  const taskQueue = `test-${randomBytes(6).toString('hex')}`;
  const { workflow } = new Client({ connection });
  for (const workflowId of [`${taskQueue}-1`, `${taskQueue}-2`]) {
    const handle = await workflow.start('any', { taskQueue, workflowId });
    t.teardown(() => handle.terminate());
  }
  const registry = new Registry();
  const { workflowService } = connection;
  registerBacklog(registry, { workflowService, namespace: 'default', taskQueue });
  const tasks = `svc_backlog_tasks{queue="${taskQueue}",type="workflow"} 2`;
  // The server queues the task of a workflow a little after its start.
  const text = await until(
    () => registry.metrics(),
    (metrics) => metrics.includes(tasks),
  );
  t.regex(text, /^svc_backlog_age_seconds\{.*type="workflow"\} \d/m);

  const env = { ...process.env, TEMPORAL_ADDRESS: address, SVC_TASK_QUEUE: taskQueue };
  const shown = run(process.execPath, [svc, 'backlog', '--json'], { env });
  const { stdout, code } = await t.throwsAsync<Error & { stdout: string; code: number }>(shown);
  t.is(code, 1, 'a queue with tasks has no poller');
  const rows = JSON.parse(stdout) as any[];
  const waiting = rows.find(({ queue, type }) => queue === taskQueue && type === 'workflow');
  t.like(waiting, { tasks: 2, pollers: 0 });
  t.true(rows.some(({ queue }) => queue === sourceQueue(taskQueue)));
  t.is(rows.length, 10);
});
