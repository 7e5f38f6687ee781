// Limits of bytes: the largest body and file that are accepted, and one byte more.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { section, type Entry } from '../case.ts';
import { postBytes } from '../forms.ts';
import { paddedWav } from '../recordings.ts';
import { ok, rejected, type Service } from '../service.ts';

const iface = section('Limits', 'interface.md');
const contract = section('Limits', 'contract.md');
const mebibyte = 2 ** 20;
const inForm = 'multipart/form-data; boundary=b';
const access = '/v1/models/svc-resonance-2/access';

/** The first answer to a body that is declared and not sent: 100 invites it. */
async function statusOf(service: Service, path: string, bytes: number, type = inForm) {
  const { hostname, port } = new URL(service.base);
  const socket = connect(Number(port), hostname);
  socket.write(
    [
      `POST ${path} HTTP/1.1`,
      'Host: conformance',
      `Authorization: Bearer ${service.key}`,
      `Content-Type: ${type}`,
      `Content-Length: ${bytes}`,
      'Expect: 100-continue',
      '\r\n',
    ].join('\r\n'),
  );
  const [data] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return Number(data.toString().split(' ')[1]);
}

/** The largest body that is invited, and the next. */
async function edgeOf(service: Service, path: string, bytes: number, type?: string): Promise<void> {
  assert.equal(await statusOf(service, path, bytes, type), 100, `${path}: ${bytes}`);
  assert.equal(await statusOf(service, path, bytes + 1, type), 413, `${path}: ${bytes + 1}`);
}

export const bodyLimits: readonly Entry[] = [
  contract.rule(
    'Where interface.md limits the file, the body may be 64 KiB larger; where it limits the body, exactly that.',
    async (service) => {
      const common = 30 * mebibyte + 65_536;
      for (const path of ['transcriptions', 'emotions', 'styles', 'affect', 'analysis']) {
        await edgeOf(service, `/v1/audio/${path}`, common);
      }
      await edgeOf(service, '/v1/audio/proficiency', common + 80_000);
      await edgeOf(service, access, 12_288, 'application/json');
    },
  ),
  contract.rule(
    'Where interface.md limits the file, the body may be 64 KiB larger;',
    (service) => edgeOf(service, '/v1/audio/resonance-2', 30 * mebibyte + 65_536),
    'resonance-2',
  ),
  contract.rule(
    'Where interface.md limits the file, the body may be 64 KiB larger;',
    (service) => edgeOf(service, '/v1/audio/synthetic-speech', 12 * mebibyte + 65_536),
    'paid',
  ),
  contract.rule('- MB and MiB in limits mean 2^20 bytes, 12 KB means 12,288.', async (service) => {
    for (const [path, seconds] of [
      ['emotions', 1],
      ['proficiency', 5],
    ] as const) {
      const file = paddedWav(30 * mebibyte, seconds);
      assert.equal(ok(await service.post(`/v1/audio/${path}`, { file })).duration, seconds);
    }
  }),
  iface.rule(
    '| Resonance-2 | 0.1-120 s, max 30 MiB;',
    async (service) => {
      ok(await service.post('/v1/audio/resonance-2', { file: paddedWav(30 * mebibyte) }));
    },
    'resonance-2',
  ),
  iface.rule(
    '| Synthetic speech | 1-60 s, max 12 MiB;',
    async (service) => {
      ok(await service.post('/v1/audio/synthetic-speech', { file: paddedWav(12 * mebibyte) }));
    },
    'paid',
  ),
  iface.rule(
    '| Lite model batch | audio up to 60 s; whole multipart body up to 4 MiB (4194304 bytes) |',
    async (service) => {
      const form = { fields: [['model', 'svc-svceet']] as const, file: paddedWav(4_100_000) };
      ok(await postBytes(service, 'transcriptions', form, 4 * mebibyte));
      const larger = await postBytes(service, 'transcriptions', form, 4 * mebibyte + 1);
      rejected(larger, 413, 'body_too_large');
    },
  ),
  iface.rule('file max 4194304 bytes; multipart body max 4210688 bytes;', async (service) => {
    const fields = [['model', 'svc-spectra-2']] as const;
    const form = { fields, file: paddedWav(4 * mebibyte) };
    for (const path of ['transcriptions', 'analysis']) {
      ok(await postBytes(service, path, form, 4_210_688));
      rejected(await postBytes(service, path, form, 4_210_689), 413, 'body_too_large');
    }
  }),
  iface.rule(
    '413 (body over 12 KB), 415 (requires `application/json`), 429.',
    async (service) => {
      const headers = { Authorization: `Bearer ${service.keyOf('unapproved')}` };
      const request = JSON.stringify({ use_case: 'Coaching of the agents of our call centre.' });
      const accepted = await service.json(access, request.padEnd(12_288), headers);
      assert.ok([200, 202].includes(accepted.status), `${accepted.status}`);
      rejected(await service.json(access, request.padEnd(12_289), headers), 413, 'body_too_large');
    },
    'unapproved',
  ),
  iface.rule(
    'JSON body: use_case (string, required, length 10-2000).',
    async (service) => {
      const headers = { Authorization: `Bearer ${service.keyOf('unapproved')}` };
      // Characters, not the halves of which JavaScript and UTF-16 make them.
      for (const text of ['x'.repeat(10), 'x'.repeat(2_000), '\u{1F4DE}'.repeat(2_000)]) {
        const { status } = await service.json(access, { use_case: text }, headers);
        assert.ok([200, 202].includes(status), `${status} for ${text.length}`);
      }
      for (const text of ['x'.repeat(9), '\u{1F4DE}'.repeat(9), '\u{1F4DE}'.repeat(2_001)]) {
        rejected(await service.json(access, { use_case: text }, headers), 400, 'invalid_field');
      }
    },
    'unapproved',
  ),
];
