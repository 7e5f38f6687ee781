// Ports: one in use is rejected with a message that a person can act on.
import { createServer } from 'node:net';
import { once } from 'node:events';
import test from 'ava';
import { readFileSync } from 'node:fs';
import {
  findFreePorts,
  findListeningPorts,
  PortTakenError,
  requireFreePorts,
} from '../../../bin/stack/ports.ts';
import { readSettings } from '../../../bin/settings/stack-settings.ts';
import { portsOf } from '../../../bin/stack/stack-ports.ts';

function usesOf(...ports: number[]) {
  return ports.map((port) => ({ use: 'API', setting: { variable: 'SVC_PORT', port } }));
}

test('ports in use are rejected together, each with holder and variable', async (t) => {
  const ports = await findFreePorts(3);
  const [one = 0, free = 0, two = 0] = ports;
  for (const port of [one, two]) {
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    t.teardown(() => server.close());
  }

  const error = await t.throwsAsync(requireFreePorts(usesOf(one, free, two)), {
    instanceOf: PortTakenError,
  });

  const lines = error.message.split('\n');
  t.is(lines.length, 2);
  for (const [i, port] of [one, two].entries()) {
    t.regex(lines[i]!, new RegExp(`^port ${port} \\(API\\) is in use.* with SVC_PORT=<port>\\.$`));
    if (process.platform === 'linux') t.regex(lines[i]!, new RegExp(`process ${process.pid}`));
  }
});

test('a port that this user may not have is not said to be in use', async (t) => {
  if (process.platform !== 'linux' || firstOpenPort() < 2) return t.pass();
  const user = process.getuid!();
  // Without the right that root has.
  if (user === 0) process.seteuid!(65_534);
  try {
    await t.throwsAsync(requireFreePorts(usesOf(1)), {
      message: 'port 1 (API) is not open to this user: choose another port with SVC_PORT=<port>.',
    });
  } finally {
    if (user === 0) process.seteuid!(user);
  }
});

function firstOpenPort(): number {
  return Number(readFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8'));
}

test('the port of the API is tried where it will be listened on', async (t) => {
  if (process.platform !== 'linux') return t.pass('others have one address of their own');
  const [port = 0] = await findFreePorts(1);
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const tried = (SVC_HOST: string) => {
    const uses = portsOf(readSettings({ SVC_HOST, SVC_PORT: String(port) }));
    return requireFreePorts(uses.filter(({ use }) => use === 'API'));
  };
  await t.notThrowsAsync(tried('127.0.0.2'));
  for (const host of ['127.0.0.1', '0.0.0.0'])
    await t.throwsAsync(tried(host), { instanceOf: PortTakenError, message: /is in use/ });
  // For documentation (RFC 5737).
  await t.throwsAsync(tried('203.0.113.1'), {
    message: `port ${port} (API) cannot be listened on at 203.0.113.1 (EADDRNOTAVAIL): \
set SVC_HOST to an address of this machine.`,
  });
});

test('ports that are free pass', async (t) => {
  await t.notThrowsAsync(requireFreePorts(usesOf(...(await findFreePorts(2)))));
});

test('ports of servers are not those that the system gives to connections', async (t) => {
  const ports = await findListeningPorts(7, []);
  t.is(new Set(ports).size, 7);
  if (process.platform !== 'linux') return;
  const range = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8');
  const [first = 0] = range.split(/\s+/).map(Number);
  if (first > 20_100) t.true(ports.every((port) => port < first));
  const others = await findListeningPorts(7, ports);
  t.deepEqual(
    others.filter((port) => ports.includes(port)),
    [],
  );
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
