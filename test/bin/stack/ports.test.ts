// Ports: one in use is rejected with a message that a person can act on.
import { createServer } from 'node:net';
import { once } from 'node:events';
import test from 'ava';
import { findFreePorts, PortTakenError, requireFreePort } from '../../../bin/stack/ports.ts';

test('a port in use is rejected with its number, its holder and the variable to set', async (t) => {
  const [port = 0] = await findFreePorts(1);
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());

  const error = await t.throwsAsync(requireFreePort('API', { variable: 'SVC_PORT', port }), {
    instanceOf: PortTakenError,
  });

  t.regex(error.message, new RegExp(`port ${port} \\(API\\) is in use`));
  t.regex(error.message, /SVC_PORT=/);
  if (process.platform === 'linux') t.regex(error.message, new RegExp(`process ${process.pid}`));
});

test('a port that is free passes', async (t) => {
  const [port = 0] = await findFreePorts(1);
  await t.notThrowsAsync(requireFreePort('API', { variable: 'SVC_PORT', port }));
});

test('free ports are distinct', async (t) => {
  const ports = await findFreePorts(5);
  t.is(new Set(ports).size, 5);
});

test('ports that are reserved for other parts are not assigned', async (t) => {
  const promised = await findFreePorts(40);
  const found = await findFreePorts(20, promised);
  t.is(found.length, 20);
  t.deepEqual(
    found.filter((port) => promised.includes(port)),
    [],
  );
});
