// Slots and deadlines of bodies: a sender that stalls is aborted and delays no other organization.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import test from 'ava';
import { defaultUploadDeadlines } from '../../../api/http/deadlines.ts';
import { createFairGate, type FairGate } from '../../../models/fairness/fair-gate.ts';
import type { Cleanup } from '../../support/cleanup.ts';
import { anAccount } from '../../support/database.ts';
import { patientMs } from '../../support/patience.ts';
import { silence, toWav } from '../../support/speech.ts';
import { postFile, testStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

const wav = toWav(silence(1));

/** It is the other organization that ends an idle upload, on a slow machine too. */
const patientUploads = { ...defaultUploadDeadlines, idleMs: patientMs, graceMs: patientMs };

/** Written by hand, because Node's own client would hide what arrives before the body is sent. */
function answerOf(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const done = (): void => resolve(text);
    socket.on('data', (data: Buffer) => {
      text += data.toString();
      if (text.includes('\r\n\r\n{')) done();
    });
    socket.on('error', done);
    socket.on('close', done);
  });
}

interface Idle {
  readonly path: string;
  readonly key: string;
  readonly type?: string;
  /** The start of the body. */
  readonly begin: string;
}

/** Starts a request whose body never ends. */
function beginBody(t: Cleanup, base: string, { path, key, type, begin }: Idle): Promise<string> {
  const socket = connect(Number(new URL(base).port), '127.0.0.1');
  t.teardown(() => void socket.destroy());
  const lines = [
    `POST ${path} HTTP/1.1`,
    'Host: test',
    `Authorization: Bearer ${key}`,
    `Content-Type: ${type ?? 'multipart/form-data; boundary=b'}`,
    'Content-Length: 4000000',
    `\r\n${begin}`,
  ];
  socket.write(lines.join('\r\n'));
  return answerOf(socket);
}

/** A slot that is freed at once does not exclude anyone. */
async function untilFull(gate: FairGate, organizationId: string): Promise<void> {
  await until(() => {
    const slot = gate.tryAcquire(organizationId);
    slot?.release();
    return !slot;
  });
}

const filePart = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\n';
const spectra = '--b\r\nContent-Disposition: form-data; name="model"\r\n\r\nsvc-spectra-2\r\n';

for (const [path, begin, code] of [
  ['/v1/files', filePart, 'rate_limited'],
  ['/v1/audio/transcriptions', filePart, 'rate_limited'],
  ['/v1/audio/analysis', `${spectra}${filePart}RIFF`, 'upload_busy'],
] as const) {
  test(`idle uploads yield to another organization: ${path}, ${code}`, async (t) => {
    const uploads = createFairGate(2);
    const stack = await testStack(t, {
      ...{ worker: false, bodies: { uploads }, uploadDeadlines: patientUploads },
    });
    const hoarder = await anAccount(stack.db);
    const { key } = hoarder;
    const idle = [1, 2].map(() => beginBody(t, stack.base, { path, key, begin }));
    await untilFull(uploads, hoarder.organizationId);
    const guest = await postFile(stack, '/v1/files', { file: wav });
    t.is(guest.status, 200, JSON.stringify(guest.body));
    const first = await Promise.race(idle);
    t.regex(first, new RegExp(`^HTTP/1.1 429 [^]*retry-after: 1[^]*"${code}"`, 'i'));
    t.deepEqual(await stack.db.selectFrom('requests').selectAll().execute(), []);
  });
}

test('a JSON body that stalls has the deadline of an upload', async (t) => {
  const uploadDeadlines = { idleMs: 200, totalMs: 60_000, minBytesPerSecond: 1, graceMs: 60_000 };
  const stack = await testStack(t, { worker: false, uploadDeadlines });
  const { key } = stack.account;
  const type = 'application/json';
  for (const path of ['/v1/batches', '/v1/files/presign', '/v1/client-token']) {
    const [begin, length] = ['{"task":', 4_000];
    const socket = connect(Number(new URL(stack.base).port), '127.0.0.1');
    t.teardown(() => void socket.destroy());
    await once(socket, 'connect');
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${key}\r\n` +
        `Content-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n${begin}`,
    );
    t.regex(await answerOf(socket), /^HTTP\/1\.1 408 [^]*upload_timeout/, path);
  }
});
