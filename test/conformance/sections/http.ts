// Truncation, upgrades and capacity: what HTTP and the deployment decide.
import assert from 'node:assert/strict';
import { section, type Entry } from '../case.ts';
import { spoken } from '../recordings.ts';
import { ok, rejected } from '../service.ts';
import { sendRaw } from '../../support/raw-http.ts';
import { encode } from '../../support/speech.ts';

const iface = section('Errors', 'interface.md');
const contract = section('Errors', 'contract.md');
const emotions = '/v1/audio/emotions';

export const http: readonly Entry[] = [
  contract.rule(
    '| 429 | rate_limit_error | upload_busy, model_busy, session_busy, rate_limited; always `Retry-After` (integer >= 1) |',
    async (service) => {
      const got = await service.get('/v1/models');
      assert.match(got.headers.get('ratelimit-policy') ?? '', /q=\d+/);
      ok(got);
    },
  ),
  contract.rule(
    '| 429 | rate_limit_error | upload_busy, model_busy, session_busy, rate_limited; always `Retry-After` (integer >= 1) |',
    async (service) => {
      // The third at the latest: a minute may end between two of them.
      const key = service.keyOf('rate');
      const all = [];
      for (let i = 0; i < 3; i += 1) all.push(await service.get('/v1/models', { key }));
      const refused = all.find(({ status }) => status === 429)!;
      rejected(refused, 429, 'rate_limited');
      assert.equal(refused.body.error.type, 'rate_limit_error');
      assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    },
    'rate',
  ),
  iface.untestable(
    '- General: 429 means capacity or rate limit reached.',
    'it would take the deployment away from its callers',
  ),
  iface.untestable(
    '| 429 | `upload_busy` | Spectra-2 capacity;',
    'the capacity of a deployment is not known outside',
  ),
  iface.untestable(
    '| 429 | `model_busy` | Spectra-2 capacity;',
    'the capacity of a deployment is not known outside',
  ),
  iface.untestable(
    '- `Retry-After`: integer >= 1, minimum wait in seconds, on Spectra-2 `upload_busy` and `model_busy`.',
    'the capacity of a deployment is not known outside',
  ),
  iface.untestable(
    '| 503 | `diarization_upstream_failed` | diarizer unavailable |',
    'nothing of the deployment may be broken for it',
  ),
  contract.untestable(
    '| 500 / 502 / 503 / 504 | api_error |',
    'nothing of the deployment may be broken for it',
  ),
  contract.untestable(
    '- Decoder crash, hang or memory limit on an upload: 400 audio_undecodable.',
    'no file is known that crashes the decoder',
  ),
  contract.rule('a live WebM without duration passes.', async (service) => {
    const live = await encode(await spoken(), 'webm', ['-c:a', 'libopus', '-live', '1']);
    ok(await service.post(emotions, { file: live }));
  }),
  contract.rule(
    'Bad credentials: HTTP 401 before the upgrade. Query parameters: 400.',
    async (service) => {
      const lines = [
        'GET /v1/audio/spectra-2/stream?x=1 HTTP/1.1',
        'Host: conformance',
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
        'Sec-WebSocket-Protocol: svc.spectra2.v1',
      ];
      const upgrade = (more: readonly string[], first = lines[0]!) =>
        sendRaw(service.base, [[first, ...lines.slice(1), ...more, '\r\n'].join('\r\n')]);
      assert.equal((await upgrade([`Authorization: Bearer ${service.key}`])).status, 400);
      assert.equal(
        (await upgrade(['Authorization: Bearer no'], lines[0]!.replace('?x=1', ''))).status,
        401,
      );
    },
  ),
];
