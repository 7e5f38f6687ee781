// What a request may contain: models, switches, counts, unknown and repeated fields, per shape.
import assert from 'node:assert/strict';
import { section, type Entry } from '../case.ts';
import { body } from '../corpus.ts';
import { encoded, wavOf } from '../recordings.ts';
import { commonPaths, everywhere, postForm } from '../forms.ts';
import { ok, rejected } from '../service.ts';

const iface = section('Requests', 'interface.md');
const contract = section('Requests', 'contract.md');
export const requests: readonly Entry[] = [
  ...(['wav', 'flac', 'mp3', 'm4a', 'ogg', 'webm'] as const).map((format) =>
    iface.rule(
      '| file | binary | required | WAV, FLAC, MP3, M4A, OGG or WebM; max 30 MB and 60 minutes |',
      async (service) => {
        const result = ok(await postForm(service, 'emotions', [], await encoded(format)));
        const { duration } = await body(service, 'emotion');
        assert.ok(
          Math.abs(result.duration - duration) < 0.15,
          `${format}: ${result.duration} s for ${duration} s`,
        );
      },
    ),
  ),
  iface.rule('| file | binary | required |', async (service) => {
    for (const path of [...commonPaths, 'proficiency']) {
      rejected(
        await service.post(`/v1/audio/${path}`, { fields: [['x', '']] }),
        400,
        'missing_file',
      );
    }
  }),
  iface.rule(
    '| model | enum `svc-resonance`, `svc-fourier` | `svc-resonance` |',
    async (service) => {
      assert.equal((await body(service, 'affect')).model, 'svc-resonance');
      for (const path of commonPaths) {
        assert.equal(
          ok(await postForm(service, path, [['model', 'svc-fourier']])).model,
          'svc-fourier',
        );
      }
    },
  ),
  ...['svc-spectra-1', 'svc-resonance-1', 'resonance'].map((id) =>
    contract.rule(
      '- Retired ids (400 model_retired): `svc-spectra-1`, `svc-resonance-1`, `resonance`.',
      (service) =>
        everywhere(
          service,
          [['model', id]],
          [400, 'model_retired'],
          [...commonPaths, 'proficiency'],
        ),
    ),
  ),
  iface.rule('| 400 | `model_retired` | a retired model id was supplied |', (service) =>
    everywhere(service, [['model', 'svc-resonance-1']], [400, 'model_retired']),
  ),
  contract.rule(
    'A model on an endpoint that lacks it: 400 model_not_supported. Unknown id: 400 model_not_found.',
    async (service) => {
      await everywhere(
        service,
        [['model', 'svczero']],
        [400, 'model_not_supported'],
        [...commonPaths, 'proficiency'],
      );
      await everywhere(
        service,
        [['model', 'svc-svceet']],
        [400, 'model_not_supported'],
        ['emotions', 'analysis'],
      );
      await everywhere(
        service,
        [['model', 'svc-spectra-2']],
        [400, 'model_not_supported'],
        ['emotions', 'styles', 'affect'],
      );
      await everywhere(
        service,
        [['model', 'svc-nothing']],
        [400, 'model_not_found'],
        [...commonPaths, 'proficiency'],
      );
    },
  ),
  iface.rule(
    '| 400 | `diarization_unsupported` | diarize requested with a model other than `svc-resonance` |',
    (service) =>
      everywhere(
        service,
        [
          ['model', 'svc-fourier'],
          ['diarize', 'true'],
        ],
        [400, 'diarization_unsupported'],
      ),
  ),
  contract.rule(
    '`diarize` is for svc-resonance and svc-svceet; with svc-fourier 400 diarization_unsupported, with Spectra-2 400 unknown_field.',
    (service) =>
      everywhere(
        service,
        [
          ['model', 'svc-spectra-2'],
          ['diarize', 'true'],
        ],
        [400, 'unknown_field'],
        ['transcriptions', 'analysis'],
      ),
  ),
  iface.rule('num_speakers 1-32 |', async (service) => {
    for (const bad of ['0', '33', '-1', '1.5', 'two']) {
      await everywhere(
        service,
        [
          ['diarize', 'true'],
          ['num_speakers', bad],
        ],
        [400, 'invalid_field'],
      );
    }
    for (const good of ['1', '32']) {
      ok(
        await postForm(service, 'emotions', [
          ['diarize', 'true'],
          ['num_speakers', good],
        ]),
      );
    }
  }),
  contract.rule(
    '`num_speakers` without `diarize`: ignored on the common shape, 400 on lite.',
    async (service) => {
      assert.equal(
        ok(await postForm(service, 'analysis', [['num_speakers', '2']])).diarized,
        false,
      );
      rejected(
        await postForm(service, 'transcriptions', [
          ['model', 'svc-svceet'],
          ['num_speakers', '2'],
        ]),
        400,
        'invalid_field',
      );
    },
  ),
  contract.rule('Booleans: true, false, 1, 0 in any case.', async (service) => {
    for (const [given, wanted] of [
      ['TRUE', true],
      ['1', true],
      ['False', false],
      ['0', false],
    ] as const) {
      const { segments } = ok(await postForm(service, 'emotions', [['include_logits', given]]));
      assert.equal('scores' in segments[0], wanted, given);
    }
    await everywhere(service, [['diarize', 'yes']], [400, 'invalid_field']);
  }),
  contract.rule('Empty text counts as absent.', async (service) => {
    const result = ok(
      await postForm(service, 'emotions', [
        ['model', ''],
        ['diarize', ''],
        ['num_speakers', ''],
        ['include_logits', ''],
      ]),
    );
    assert.equal(result.model, 'svc-resonance');
  }),
  contract.rule('transcriptions is 400 unknown_field.', async (service) => {
    await everywhere(
      service,
      [['include_logits', 'true']],
      [400, 'unknown_field'],
      ['transcriptions'],
    );
    await everywhere(
      service,
      [['include_logits', 'false']],
      [400, 'unknown_field'],
      ['transcriptions'],
    );
  }),
  contract.rule(
    'Common and proficiency shapes: unknown fields ignored and named in `X-Svc-Ignored-Fields`,',
    async (service) => {
      const answer = await postForm(service, 'emotions', [
        ['prompt', 'x'],
        ['temperature', '1'],
      ]);
      ok(answer);
      assert.match(
        answer.headers.get('x-svc-ignored-fields') ?? '',
        /prompt.*temperature|temperature.*prompt/,
      );
    },
  ),
  contract.rule('A field or file given twice is refused everywhere.', async (service) => {
    const twice = [
      ['model', 'svc-resonance'],
      ['model', 'svc-resonance'],
    ] as const;
    await everywhere(service, twice, [400, 'duplicate_field'], [...commonPaths, 'proficiency']);
    const form = new FormData();
    for (const name of ['a', 'b'])
      form.append('file', new Blob([new Uint8Array(wavOf(16_000))]), name);
    const response = await fetch(`${service.base}/v1/audio/emotions`, {
      method: 'POST',
      body: form,
      headers: { Authorization: `Bearer ${service.key}` },
    });
    assert.equal(((await response.json()) as any).error.code, 'duplicate_field');
  }),
  contract.rule(
    'Strict shapes (lite, Spectra-2, Resonance-2, synthetic speech, JSON bodies): unknown fields refused.',
    async (service) => {
      for (const model of ['svc-svceet', 'svc-spectra-2']) {
        await everywhere(
          service,
          [
            ['model', model],
            ['prompt', 'x'],
          ],
          [400, 'unknown_field'],
          ['transcriptions'],
        );
      }
      const id = crypto.randomUUID();
      rejected(
        await service.json('/v1/audio/sessions', { model: 'svc-spectra-2', id, more: 1 }),
        400,
        'unknown_field',
      );
      rejected(await service.json('/v1/client-token', { more: 1 }), 400, 'unknown_field');
    },
  ),
];
