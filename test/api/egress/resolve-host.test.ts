// Names of receivers: a name server that never answers holds no thread, and only its own caller.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { lookup, Resolver } from 'node:dns/promises';
import { mock } from 'node:test';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { resolveHost } from '../../../api/egress/resolve-host.ts';
import type { Cleanup } from '../../support/cleanup.ts';

/** A machine that stalls is no silent name server. */
const patient = { deadlineMs: 600_000 };

/** A name server that answers as it is told, or never. @returns its address */
async function nameServer(t: Cleanup, answer: (query: Buffer) => Buffer | null) {
  const socket = createSocket('udp4');
  let queries = 0;
  socket.on('message', (query, { port, address }) => {
    queries += 1;
    const reply = answer(query);
    if (reply) socket.send(reply, port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.teardown(() => void socket.close());
  return { servers: [`127.0.0.1:${socket.address().port}`], queries: () => queries };
}

/** The answer to a query (RFC 1035, 4.1) for an IPv4 address: 192.0.2.7; for another type: none. */
function answerOf(query: Buffer): Buffer {
  const type = query.readUInt16BE(query.indexOf(0, 12) + 1);
  const end = query.indexOf(0, 12) + 5;
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(type === 1 ? 1 : 0, 6);
  header.writeUInt32BE(0, 8);
  const record = Buffer.from('c00c00010001000000010004c0000207', 'hex');
  return Buffer.concat([header, query.subarray(12, end), ...(type === 1 ? [record] : [])]);
}

test('a name has the addresses that its name server gives', async (t) => {
  const { servers } = await nameServer(t, answerOf);
  const found = await resolveHost('receiver.example', {
    ...patient,
    hasPrivateNames: false,
    servers,
  });
  t.deepEqual(found, [{ address: '192.0.2.7', family: 4 }]);
});

test.serial('a server that is silent about IPv6 hides no IPv4 address', async (t) => {
  const { servers } = await nameServer(t, answerOf);
  // The resolver asks again for longer than anybody waits.
  const silent = mock.method(Resolver.prototype, 'resolve6', () => new Promise(() => {}));
  t.teardown(() => silent.mock.restore());
  const options = { hasPrivateNames: false, servers, deadlineMs: 60_000 };
  const found = await resolveHost('receiver.example', options);
  t.deepEqual(found, [{ address: '192.0.2.7', family: 4 }]);
});

test('names whose server is silent end at the deadline; the thread pool stays free', async (t) => {
  const { servers, queries } = await nameServer(t, () => null);
  const options = { hasPrivateNames: true, servers, deadlineMs: 60_000 };
  const late = { ...options, deadlineMs: 50 };
  await t.throwsAsync(resolveHost('silent.example', late), { message: /within 0\.05 seconds/ });
  // More than the pool has threads; each would hold one.
  const before = queries();
  for (let i = 0; i < 16; i += 1) void resolveHost(`${i}.example`, options).catch(() => {});
  while (queries() < before + 16) await new Promise((resolve) => setImmediate(resolve));
  t.is((await lookup('127.0.0.1')).address, '127.0.0.1');
  t.true((await readFile(import.meta.filename)).length > 0);
});

/** The name of a query: labels, each after its length. */
function nameOf(query: Buffer): string {
  const labels: string[] = [];
  for (let at = 12; query[at] !== 0; at += query[at]! + 1)
    labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!));
  return labels.join('.');
}

/** A name server that knows nothing but one name, and keeps silent on a domain. */
function privateServer(known: string, silent: string) {
  return (query: Buffer): Buffer | null => {
    const reply = answerOf(query);
    const name = nameOf(query);
    if (name.endsWith(silent)) return null;
    if (name === known) return reply;
    reply.writeUInt16BE(0x8183, 2);
    reply.writeUInt16BE(0, 6);
    return reply.subarray(0, query.indexOf(0, 12) + 5);
  };
}

test('names that DNS does not know are those of this machine where it is wanted', async (t) => {
  const { servers } = await nameServer(t, privateServer('', '.silent'));
  const found = await resolveHost('localhost', { ...patient, hasPrivateNames: true, servers });
  t.true(found.length > 0);
  const named = { ...patient, hasPrivateNames: false, servers };
  await t.throwsAsync(resolveHost('nowhere.example', named), { code: 'ENOTFOUND' });
});

test('names of the hosts file and of search domains wait for nobody else', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-names-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const files = { hosts: join(folder, 'hosts'), resolver: join(folder, 'resolv.conf') };
  await writeFile(files.hosts, '# ours\n10.0.0.5\tone.corp Hooks.Corp # spare\n::5 hooks.corp\n');
  await writeFile(files.resolver, 'nameserver 10.0.0.1\nsearch silent.corp. Corp.Example\n');
  const { servers } = await nameServer(t, privateServer('bell.corp.example', '.silent'));
  const options = { hasPrivateNames: true, servers, files, deadlineMs: 600_000 };
  // More than the pool has threads: names of a tenant's own server, which never answers.
  const waiting = new AbortController();
  for (let i = 0; i < 16; i += 1) {
    const unanswered = { ...options, signal: waiting.signal };
    void resolveHost(`${i}.silent`, unanswered).catch(() => {});
  }
  t.deepEqual(await resolveHost('hooks.corp', options), [
    { address: '10.0.0.5', family: 4 },
    { address: '::5', family: 6 },
  ]);
  t.deepEqual(await resolveHost('bell', options), [{ address: '192.0.2.7', family: 4 }]);
  await t.throwsAsync(resolveHost('bell.', options), { code: 'ENOTFOUND' });
  await t.throwsAsync(resolveHost('nowhere.example', options), { code: 'ENOTFOUND' });
  waiting.abort();
});
