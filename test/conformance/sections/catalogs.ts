// Catalogs, health, versions and the reference rates.
import assert from 'node:assert/strict';
import { z } from 'zod';
import { section, type Entry } from '../case.ts';
import { answer, body } from '../corpus.ts';
import { text } from '../fields.ts';
import { ok, rejected } from '../service.ts';

const iface = section('Catalogs and health', 'interface.md');
const contract = section('Catalogs and health', 'contract.md');

const models: Readonly<Record<string, readonly string[]>> = {
  'svc-resonance': ['transcription', 'emotion', 'style', 'affect', 'analysis', 'diarization'],
  'svc-fourier': ['transcription', 'emotion', 'style', 'affect', 'analysis'],
  'svc-svceet': ['transcription'],
  'svc-spectra-2': ['transcription', 'analysis'],
  'svc-resonance-2': ['affect'],
  'svc-proficiency-1': ['proficiency'],
  svczero: ['synthetic_speech'],
};
const rows: Readonly<Record<string, string>> = {
  'svc-resonance': '| `svc-resonance` | Default model on every file endpoint',
  'svc-fourier':
    '| `svc-fourier` | Alternative file model with its own output scope; no diarization. |',
  'svc-svceet': '| `svc-svceet` | English preview model for transcription; audio up to 60 s;',
  'svc-spectra-2': '| `svc-spectra-2` | 25-language transcription plus 31 clip-level scores',
  'svc-resonance-2': '| `svc-resonance-2` | Preview emotion/delivery classifier;',
  'svc-proficiency-1': '| `svc-proficiency-1` | Proficiency scoring model',
  svczero: '| `svczero` | Human versus synthetic speech detection;',
};
const languages =
  'bg, hr, cs, da, nl, en, et, fi, fr, de, el, hu, it, lv, lt, mt, pl, pt, ro, ru, sk, sl, es, sv, uk';

const rateOf = async (service: Parameters<typeof body>[0], model: string, task: string) =>
  (await body(service, 'pricing')).models.find(({ id }: any) => id === model).rates_per_minute_usd[
    task
  ];

const rate = (
  sentence: string,
  from: 'interface.md' | 'contract.md',
  model: string,
  wanted: Readonly<Record<string, string>>,
): Entry =>
  section('Reference rates', from).rule(sentence, async (service) => {
    for (const [task, expected] of Object.entries(wanted)) {
      assert.equal(Number(await rateOf(service, model, task)), Number(expected), task);
    }
  });

export const catalogs: readonly Entry[] = [
  ...Object.entries(models).map(([id, tasks]) =>
    iface.rule(rows[id]!, async (service) => {
      const model = (await body(service, 'models')).data.find((entry: any) => entry.id === id);
      assert.ok(model, `${id} is not in the catalog`);
      for (const task of tasks) assert.ok(model.tasks.includes(task), `${task} is missing`);
    }),
  ),
  iface.rule(`| Spectra-2 languages (automatic detection) | ${languages} |`, async (service) => {
    const { data } = await body(service, 'models');
    const spectra = data.find(({ id }: any) => id === 'svc-spectra-2');
    assert.deepEqual(new Set(spectra.languages), new Set(languages.split(', ')));
  }),
  iface.rule(
    'Spectra-2 lifecycle is stable; Resonance-2 availability is preview; the lite model and synthetic-speech detection are previews.',
    async (service) => {
      const { data } = await body(service, 'models');
      const of = (id: string) => data.find((model: any) => model.id === id).lifecycle;
      assert.deepEqual(['svc-spectra-2', 'svc-resonance-2', 'svc-svceet', 'svczero'].map(of), [
        'stable',
        'preview',
        'preview',
        'preview',
      ]);
    },
  ),
  iface.rule(
    'Response 200: JSON object listing public models and supported tasks.',
    async (service) => {
      assert.equal((await body(service, 'models')).data.length, 7);
    },
  ),
  contract.rule(
    '`GET /v1/models`: `{"object":"list","data":[{"id","object":"model","lifecycle","tasks","languages","labels"?,"limits","available","bundle":{"name","revision","license"}|null}]}`.',
    async (service) => {
      const { object: kind, data } = await body(service, 'models');
      assert.equal(kind, 'list');
      for (const { labels: _, ...model } of data) {
        const shape = z.strictObject({
          id: text,
          object: z.literal('model'),
          lifecycle: z.literal(['stable', 'preview']),
          tasks: z.array(text).min(1),
          languages: z.array(text).min(1),
          limits: z.record(z.string(), z.unknown()),
          available: z.boolean(),
          bundle: z.nullable(z.strictObject({ name: text, revision: text, license: text })),
        });
        shape.parse(model);
      }
    },
  ),
  contract.rule(
    '`GET /v1/pricing`: `{"object":"pricing","pricing_version","currency":"USD","models":[...]}` from the same table that fills `usage`.',
    async (service) => {
      const pricing = await body(service, 'pricing');
      assert.deepEqual([pricing.object, pricing.currency], ['pricing', 'USD']);
      const { usage } = await body(service, 'analysis');
      assert.equal(usage.pricing_version, pricing.pricing_version);
      assert.equal(usage.rate_per_minute_usd, await rateOf(service, 'svc-resonance', 'analysis'));
    },
  ),
  iface.rule(
    'No authentication. Response 200: JSON object of reference cost metadata',
    async (service) => {
      ok(await answer(service, 'pricing'));
    },
  ),
  iface.rule(
    'No authentication. 200 when the process is live, and when inference dependencies are ready, respectively.',
    async (service) => {
      ok(await service.get('/livez', { key: null }));
      ok(await service.get('/readyz', { key: null }));
    },
  ),
  contract.rule(
    '`/livez` `{"status":"ok"}`; `/readyz` 200 `{"status":"ready","checks":{database,object_storage,temporal,workers,models}}`',
    async (service) => {
      assert.deepEqual(ok(await service.get('/livez')), { status: 'ok' });
      const ready = ok(await service.get('/readyz'));
      assert.equal(ready.status, 'ready');
      const checks = ['database', 'models', 'object_storage', 'temporal', 'workers'];
      assert.deepEqual(Object.keys(ready.checks).sort(), checks);
    },
  ),
  contract.untestable(
    'or 503 with the failing check named',
    'nothing of the deployment may be broken for it',
  ),
  iface.rule(
    'No authentication. 200 with any JSON body when the Resonance emotion sidecar is healthy.',
    async (service) => {
      ok(await service.get('/v1/audio/resonance-2/health', { key: null }));
    },
  ),
  contract.untestable('Unhealthy sidecar: 503.', 'nothing of the deployment may be broken for it'),
  rate(
    'Reference rates of Spectra-2 per audio minute: transcription 0.0080, analysis 0.0120; minimum billable 1 second.',
    'interface.md',
    'svc-spectra-2',
    { transcription: '0.0080', analysis: '0.0120' },
  ),
  rate(
    'Reference rate of the lite model: 0.00045 USD per audio minute (0.027 per audio hour); emotion_detection adds 0.0080 per audio minute; diarize adds 0.0040 per audio minute.',
    'interface.md',
    'svc-svceet',
    { transcription: '0.00045', emotion_detection: '0.0080', diarization: '0.0040' },
  ),
  rate(
    'Resonance-2 uses shared plan minutes and the affect tariff of Resonance: 0.0100 per audio minute',
    'interface.md',
    'svc-resonance-2',
    { affect: '0.0100' },
  ),
  ...['svc-resonance', 'svc-fourier'].map((model) =>
    rate(
      'Resonance and Fourier transcription 0.0080, emotion 0.0080, style 0.0080, affect 0.0100, analysis 0.0120;',
      'contract.md',
      model,
      {
        transcription: '0.0080',
        emotion: '0.0080',
        style: '0.0080',
        affect: '0.0100',
        analysis: '0.0120',
      },
    ),
  ),
  rate('proficiency 0.0120.', 'contract.md', 'svc-proficiency-1', { proficiency: '0.0120' }),
  section('Versioning', 'interface.md').rule(
    '- Interface version: 1.0.0; all paths carry the `/v1` prefix.',
    async (service) => {
      rejected(await service.get('/models'), 404, 'not_found');
    },
  ),
  section('Versioning', 'interface.md').rule(
    'Result metadata identifies revisions: `model_revision`, `calibration_revision`, `pricing_version`, proficiency `model_version`',
    async (service) => {
      const { proficiency } = await body(service, 'proficiency');
      assert.deepEqual(
        [
          proficiency.model_version,
          proficiency.word_score_version,
          proficiency.legacy_model_version,
        ],
        ['continuous-pilot-v2', 'v2', 'fluency_cefr-v2-final'],
      );
    },
  ),
  contract.rule("the file's hash is in `/v1/models`.", async (service) => {
    const { data } = await body(service, 'models');
    const { bundle } = data.find(({ id }: any) => id === 'svczero');
    assert.match(bundle.revision, /^[0-9a-f]{64}$/);
  }),
];
