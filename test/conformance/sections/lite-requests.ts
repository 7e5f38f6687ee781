// The strict shape of the lite model, and what its answers contain.
import assert from 'node:assert/strict';
import { section, type Entry } from '../case.ts';
import { body } from '../corpus.ts';
import { spoken, wavOf } from '../recordings.ts';
import { everywhere, postForm } from '../forms.ts';
import { ok, rejected } from '../service.ts';

const iface = section('Requests', 'interface.md');
const contract = section('Requests', 'contract.md');
export const liteRequests: readonly Entry[] = [
  contract.rule(
    'Lite: `verbose_json` adds segments and timings that `json` leaves out; with `text`, optional tasks are 400;',
    async (service) => {
      const [plain, verbose] = [await body(service, 'lite'), await body(service, 'liteVerbose')];
      for (const field of ['segments', 'asr_ms', 'server_ms']) {
        assert.ok(!(field in plain) && field in verbose, field);
      }
    },
  ),
  contract.rule(
    '`usage.tasks` from transcription, emotion_detection, diarization; `billing_basis` from the plan; `emotion_detection.segments` are {start, end, emotions, scores}.',
    async (service) => {
      const tasks = await body(service, 'liteTasks');
      assert.deepEqual(tasks.usage.tasks, ['transcription', 'emotion_detection', 'diarization']);
      assert.equal(Number(tasks.usage.rate_per_minute_usd), 0.01245);
      for (const segment of tasks.emotion_detection.segments) {
        assert.deepEqual(Object.keys(segment).sort(), ['emotions', 'end', 'scores', 'start']);
      }
      assert.deepEqual((await body(service, 'lite')).usage.tasks, ['transcription']);
    },
  ),
  iface.rule(
    '| server_ms | number | server processing including optional tasks; same exclusions |',
    async (service) => {
      for (const name of ['liteVerbose', 'liteTasks'] as const) {
        const { asr_ms: asr, server_ms: server } = await body(service, name);
        assert.ok(asr <= server, `${asr} of ${server} ms in ${name}`);
      }
    },
  ),
  iface.rule('Its `usage.cost_microusd` values usage at task rates', async (service) => {
    for (const name of ['lite', 'liteTasks'] as const) {
      const { usage } = await body(service, name);
      const exact = (Number(usage.rate_per_minute_usd) * 1e6 * usage.billable_seconds) / 60;
      assert.ok(
        Math.abs(usage.cost_microusd - exact) <= 0.5 + 1e-6,
        `${usage.cost_microusd} for ${exact}`,
      );
    }
  }),
  iface.rule(
    'speaker turns with diarize=true; empty for transcription alone; no word timestamps |',
    async (service) => {
      const [verbose, tasks] = [
        await body(service, 'liteVerbose'),
        await body(service, 'liteTasks'),
      ];
      assert.deepEqual(verbose.segments, []);
      assert.ok(tasks.segments.length > 1 && tasks.diarized && tasks.speakers.length > 1);
    },
  ),
  iface.rule(
    'Lite-model shape (no additional fields allowed): file (binary; English audio, max 60 s;',
    async (service) => {
      ok(await postForm(service, 'transcriptions', [['model', 'svc-svceet']], wavOf(960_000)));
      rejected(
        await postForm(service, 'transcriptions', [['model', 'svc-svceet']], wavOf(960_001)),
        400,
        'audio_too_long',
      );
    },
  ),
  iface.rule('Separate calls process and meter the audio separately', async (service) => {
    const file = await spoken();
    const [a, b] = [
      ok(await postForm(service, 'emotions', [], file)),
      ok(await postForm(service, 'analysis', [], file)),
    ];
    assert.ok(a.usage.billable_seconds > 0 && b.usage.billable_seconds > 0 && a.id !== b.id);
  }),
  iface.rule('language (enum `en`, `en-US`, `en-GB`, default `en`)', async (service) => {
    for (const language of ['en', 'en-US', 'en-GB']) {
      ok(
        await postForm(service, 'transcriptions', [
          ['model', 'svc-svceet'],
          ['language', language],
        ]),
      );
    }
    await everywhere(
      service,
      [
        ['model', 'svc-svceet'],
        ['language', 'de'],
      ],
      [400, 'invalid_field'],
      ['transcriptions'],
    );
  }),
  iface.rule(
    'response_format (enum `json`, `verbose_json`, `text`, default `json`; optional tasks require JSON)',
    async (service) => {
      const lite = ['model', 'svc-svceet'] as const;
      await everywhere(
        service,
        [lite, ['response_format', 'srt']],
        [400, 'invalid_field'],
        ['transcriptions'],
      );
      for (const option of ['diarize', 'emotion_detection']) {
        await everywhere(
          service,
          [lite, ['response_format', 'text'], [option, 'true']],
          [400, 'invalid_field'],
          ['transcriptions'],
        );
      }
    },
  ),
];
