// What HTTP decides before an endpoint does, and forms at the edge of what is accepted.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { section, type Entry } from '../case.ts';
import { spoken, wavOf } from '../recordings.ts';
import { ok, rejected, type Service } from '../service.ts';
import { sendRaw } from '../../support/raw-http.ts';

const contract = section('Errors', 'contract.md');
const forms = section('Requests', 'contract.md');
const transcriptions = '/v1/audio/transcriptions';

const head = (service: Service, first: string, lines: readonly string[] = []): string =>
  [
    `${first} HTTP/1.1`,
    `Host: ${new URL(service.base).host}`,
    `Authorization: Bearer ${service.key}`,
    ...lines,
    '\r\n',
  ].join('\r\n');

const h2c = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'];

/** A JSON request whose body is sent after 100 Continue. @returns all that came back */
async function invited(service: Service): Promise<string> {
  const { hostname, port } = new URL(service.base);
  const socket = connect(Number(port), hostname);
  const lines = ['Content-Type: application/json', 'Content-Length: 2', 'Expect: 100-continue'];
  socket.write(head(service, 'POST /v1/audio/sessions', lines));
  let text = '';
  while (!text.includes('\r\n\r\n{')) {
    const [data] = (await once(socket, 'data')) as [Buffer];
    text += data.toString();
    if (text === 'HTTP/1.1 100 Continue\r\n\r\n') socket.write('{}');
  }
  socket.destroy();
  return text;
}

export const httpEdges: readonly Entry[] = [
  contract.rule('Envelope everywhere (but for Resonance-2', async (service) => {
    for (const [text, status] of [
      ['GET /livez HTTP/1.1\r\n\r\n', 400],
      [head(service, 'GET /livez', ['Host: another.example']), 400],
      [head(service, 'GET /livez', [`X-Long: ${'x'.repeat(20_000)}`]), 431],
      [head(service, 'GET /livez', ['Expect: a-miracle']), 417],
      [head(service, 'GET /v1/nothing', h2c), 404],
    ] as const) {
      const got = await sendRaw(service.base, [text]);
      assert.equal(got.status, status, text.slice(0, 80));
      const { error } = JSON.parse(got.body);
      assert.equal(error.request_id, /x-request-id: (\S+)/i.exec(got.head)?.[1]);
    }
  }),
  contract.rule('| 426 | invalid_request_error | upgrade_required', async (service) => {
    // Any other offer to upgrade is ignored (RFC 9110, 7.8).
    assert.equal((await sendRaw(service.base, [head(service, 'GET /v1/models', h2c)])).status, 200);
    const stream = await sendRaw(service.base, [
      head(service, `GET ${transcriptions}/stream`, h2c),
    ]);
    assert.equal(stream.status, 426);
    assert.match(await invited(service), /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 /);
  }),
  contract.rule('Upload too slow: 408 upload_timeout.', async (service) => {
    const lines = ['Content-Type: application/json', 'Content-Length: 2000'];
    const text = `${head(service, 'POST /v1/audio/sessions', lines)}{"model":`;
    const got = await sendRaw(service.base, [text]);
    assert.equal(`${got.status} ${JSON.parse(got.body).error.code}`, '408 upload_timeout');
  }),
  contract.rule(
    'and the same id in the `X-Request-ID` response header of every response, success or failure.',
    async (service) => {
      const json = ['Content-Type: application/json', 'X-Request-ID: mine'];
      for (const [bytes, status] of [
        [10 ** 9, 413],
        [2_000, 408],
      ] as const) {
        const lines = [...json, `Content-Length: ${bytes}`];
        const got = await sendRaw(service.base, [head(service, 'POST /v1/audio/sessions', lines)]);
        assert.equal(got.status, status);
        assert.equal(/x-request-id: (\S+)/i.exec(got.head)?.[1], 'mine');
        assert.equal(JSON.parse(got.body).error.request_id, 'mine');
      }
    },
  ),
  contract.rule('method_not_allowed (with `Allow`)', async (service) => {
    const got = await sendRaw(service.base, [head(service, 'CONNECT conformance:443')]);
    assert.equal(got.status, 405);
    assert.match(got.head, /^allow: .*POST/im);
  }),
  contract.rule('a streamed body is cut off at the limit;', async (service) => {
    const lines = ['Content-Type: multipart/form-data; boundary=b', 'Transfer-Encoding: chunked'];
    const part = (name: string): string => `--b\r\nContent-Disposition: form-data; name="${name}"`;
    const form = `${part('model')}\r\n\r\nsvc-svceet\r\n${part('file')}; filename="a"\r\n\r\n`;
    const start = Buffer.concat([Buffer.from(form), await spoken()]);
    const chunk = (bytes: Buffer) =>
      Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
    const rest = Array<Buffer>(6).fill(chunk(Buffer.alloc(2 ** 20)));
    const text = head(service, `POST ${transcriptions}`, lines);
    const got = await sendRaw(service.base, [text, chunk(start), ...rest]);
    assert.equal(got.status, 413);
  }),
  forms.rule('Empty text counts as absent.', async (service) => {
    const file = await spoken();
    for (const fields of [
      [['include_logits', '']],
      [
        ['model', 'svc-svceet'],
        ['prompt', ''],
      ],
      [
        ['model', 'svc-spectra-2'],
        ['language', ''],
      ],
    ] as const) {
      ok(await service.post(transcriptions, { file, fields }));
    }
  }),
  forms.rule(
    'Common and proficiency shapes: unknown fields ignored and named in `X-Svc-Ignored-Fields`,',
    async (service) => {
      const form = new FormData();
      form.append('num_speakers', '33');
      form.append('prompt', 'x'.repeat(5_000));
      for (const name of ['notes', 'file']) {
        form.append(name, new Blob([new Uint8Array(await spoken())]), name);
      }
      const response = await fetch(service.base + transcriptions, {
        method: 'POST',
        body: form,
        headers: { Authorization: `Bearer ${service.key}` },
      });
      assert.equal(response.status, 200, await response.text());
      const named = response.headers.get('x-svc-ignored-fields') ?? '';
      assert.deepEqual(named.split(', ').sort(), ['notes', 'prompt']);
    },
  ),
  contract.rule('`message` says what was wrong, what is allowed', async (service) => {
    const fields = [['model', 'svc-nothing']] as const;
    const unknown = await service.post(transcriptions, { file: wavOf(16_000), fields });
    rejected(unknown, 400, 'model_not_found');
    for (const model of ['svc-resonance', 'svc-fourier', 'svc-svceet', 'svc-spectra-2']) {
      assert.ok(unknown.body.error.message.includes(model), model);
    }
    const samples = await service.post(transcriptions, {
      file: Buffer.alloc(32_000, 1),
      fields: [['model', 'svc-spectra-2']],
    });
    rejected(samples, 400, 'unsupported_audio');
    assert.match(samples.body.error.message, /audio\/pcm/);
  }),
];
