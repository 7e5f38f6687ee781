// What `svc doctor` tells of servers and workers.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import test from 'ava';
import { examineServices } from '../../../bin/commands/examine-services.ts';
import { testDatabase } from '../../support/database.ts';
import { testServers } from '../../support/environment.ts';
import { connectPatiently, isSilence } from '../../support/patience.ts';
import { until } from '../../support/until.ts';

/** Once Temporal has answered within the time that a check gives it. */
function answeredFindings(environment: Readonly<Record<string, string>>) {
  return until(
    () => examineServices(environment),
    (findings) => !findings.some(({ detail }) => isSilence(detail)),
  );
}

test('workers of callers alone leave the queue of batches without one', async (t) => {
  const { temporalAddress: address } = testServers();
  const connection = await connectPatiently(address);
  t.teardown(() => connection.close());
  const name = `test-${randomBytes(8).toString('hex')}`;
  const stop = new AbortController();
  const poll = connection.withAbortSignal(stop.signal, () =>
    connection.withDeadline(Date.now() + 60_000, () =>
      connection.workflowService.pollWorkflowTaskQueue({
        ...{ namespace: 'default', taskQueue: { name }, identity: 'a caller' },
      }),
    ),
  );
  poll.catch(() => {}); // It ends with the test.
  t.teardown(() => stop.abort());
  const environment = { TEMPORAL_ADDRESS: address, SVC_TASK_QUEUE: name };
  const workers = async () => {
    const findings = await answeredFindings(environment);
    return findings.filter(({ part }) => part.startsWith('Batch workers'));
  };
  await until(async () => (await workers())[0]?.healthy);
  const [callers, bulk] = await workers();
  t.like(callers, { healthy: true, detail: `task queue "${name}": a caller` });
  t.like(bulk, { healthy: false, detail: `no worker polls the task queue "${name}-bulk"` });
});

test('a namespace that does not exist is told', async (t) => {
  const { temporalAddress } = testServers();
  const temporalOf = async (namespace: string) => {
    const environment = { TEMPORAL_ADDRESS: temporalAddress, TEMPORAL_NAMESPACE: namespace };
    const findings = await answeredFindings(environment);
    return findings.find(({ part }) => part === 'Temporal')!;
  };
  t.true((await temporalOf('default')).healthy);
  const { healthy, detail } = await temporalOf('nowhere');
  t.false(healthy);
  t.regex(detail, /namespace nowhere/i);
});

test('the round trip to PostgreSQL is measured without that of connecting', async (t) => {
  const { url } = await testDatabase(t);
  const { hostname, port } = new URL(url);
  const delayMs = 20;
  const proxy = createServer({ noDelay: true }, (near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) socket.on('error', () => near.destroy());
    near.pipe(far);
    far.on('data', (answer) => setTimeout(() => near.write(answer), delayMs));
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.teardown(() => proxy.close());
  const behind = new URL(url);
  behind.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const environment = { DATABASE_URL: behind.href };
  const found = (await answeredFindings(environment)).find(({ part }) => part === 'PostgreSQL')!;
  const { healthy, detail, latencyMs, roundTripMs = 0 } = found;
  t.true(healthy, detail);
  t.true(roundTripMs >= delayMs - 1, `${roundTripMs} ms`);
  t.true(roundTripMs < latencyMs! / 2, `${roundTripMs} of ${latencyMs} ms`);
});
