// Resonance-2, synthetic speech and proficiency: their rules beyond fields and limits.
import assert from 'node:assert/strict';
import { section, type Entry } from '../case.ts';
import { body } from '../corpus.ts';
import { flat, wavOf } from '../recordings.ts';
import { ok, rejected } from '../service.ts';
import { emotions, styles } from './results.ts';

const iface = section('Classifiers', 'interface.md');
const contract = section('Classifiers', 'contract.md');
const resonance = '/v1/audio/resonance-2';
const synthetic = '/v1/audio/synthetic-speech';
const axes =
  'happy_sad proud_embarrassed relieved_worried energetic_tired confident_hesitant formal_casual'.split(
    ' ',
  );

export const classifiers: readonly Entry[] = [
  contract.rule(
    '- 31 categories: the 15 emotion and 16 style labels.',
    async (service) => {
      const { scores } = await body(service, 'resonance2');
      assert.deepEqual(Object.keys(scores).sort(), `${emotions}, ${styles}`.split(', ').sort());
    },
    'resonance-2',
  ),
  contract.rule(
    'axis = scores[positive] - scores[negative], calibrated; of two selected opposites the higher stays.',
    async (service) => {
      const result = await body(service, 'resonance2');
      assert.deepEqual(Object.keys(result.axes).sort(), [...axes].sort());
      for (const axis of axes) {
        const [positive, negative] = axis.split('_') as [string, string];
        const expected = result.scores[positive] - result.scores[negative];
        assert.ok(Math.abs(result.axes[axis] - expected) < 2e-6, axis);
      }
    },
    'resonance-2',
  ),
  contract.rule(
    '`unipolar` holds exactly those 19, equal to their scores.',
    async (service) => {
      const result = await body(service, 'resonance2');
      const poles = new Set(axes.flatMap((axis) => axis.split('_')));
      const rest = Object.keys(result.scores).filter((label) => !poles.has(label));
      assert.deepEqual(Object.keys(result.unipolar).sort(), rest.sort());
      for (const label of rest) assert.equal(result.unipolar[label], result.scores[label]);
    },
    'resonance-2',
  ),
  iface.rule(
    'calibrated selected labels; opposite labels are never both selected |',
    async (service) => {
      for (const name of ['resonance2', 'resonance2Precision'] as const) {
        const { labels, scores } = await body(service, name);
        for (const { label, score } of labels) assert.equal(score, scores[label]);
        const selected = new Set(labels.map(({ label }: any) => label));
        for (const axis of axes)
          assert.ok(!axis.split('_').every((pole) => selected.has(pole)), axis);
      }
    },
    'resonance-2',
  ),
  iface.rule(
    'Query: regime (enum `f1`, `precision`, default `f1`).',
    async (service) => {
      assert.equal((await body(service, 'resonance2')).regime, 'f1');
      assert.equal((await body(service, 'resonance2Precision')).regime, 'precision');
      rejected(
        await service.post(`${resonance}?regime=recall`, { file: wavOf(16_000) }),
        422,
        'invalid_field',
      );
    },
    'resonance-2',
  ),
  iface.rule(
    'model (enum `svc-resonance-2`, `resonance-2`).',
    async (service) => {
      assert.equal((await body(service, 'resonance2Precision')).model, 'svc-resonance-2');
      const fields = [['model', 'svc-resonance']] as const;
      assert.equal((await service.post(resonance, { file: wavOf(16_000), fields })).status, 422);
    },
    'resonance-2',
  ),
  iface.rule(
    'files longer than 20 seconds are split into nonoverlapping 20-second windows (at most 6)',
    async (service) => {
      for (const [samples, windows] of [
        [320_000, 1],
        [320_001, 2],
        [720_000, 3],
      ] as const) {
        assert.equal(
          ok(await service.post(resonance, { file: wavOf(samples) })).window_count,
          windows,
        );
      }
    },
    'resonance-2',
  ),
  iface.rule(
    'Digital silence abstains: zero scores, no forced top label, abstained=true, abstention_reason `digital_silence`.',
    async (service) => {
      const silent = await body(service, 'resonance2Silence');
      assert.deepEqual(
        [silent.abstained, silent.abstention_reason, silent.labels],
        [true, 'digital_silence', []],
      );
      assert.ok(
        Object.values({ ...silent.scores, ...silent.axes, ...silent.unipolar }).every(
          (value) => value === 0,
        ),
      );
      const received = await body(service, 'resonance2');
      assert.deepEqual([received.abstained, received.abstention_reason], [false, null]);
    },
    'resonance-2',
  ),
  contract.rule(
    '- Digital silence: every decoded sample within +-1 LSB of a constant;',
    async (service) => {
      const almost = flat(100, 1);
      almost.writeInt16LE(101, 1_000);
      assert.equal(ok(await service.post(resonance, { file: almost })).abstained, true);
      almost.writeInt16LE(103, 2_000);
      assert.equal(ok(await service.post(resonance, { file: almost })).abstained, false);
    },
    'resonance-2',
  ),
  iface.rule(
    'Validation failures of Resonance-2 (422) use a different body: `detail` is an array of items',
    async (service) => {
      const { status, body: rejection } = await service.post(resonance, {
        file: wavOf(16_000),
        fields: [['prompt', 'x']],
      });
      assert.equal(status, 422);
      const [{ loc, msg, type }] = rejection.detail;
      assert.ok(Array.isArray(loc) && typeof msg === 'string' && typeof type === 'string');
    },
    'resonance-2',
  ),
  contract.rule(
    '- Resonance-2 and synthetic speech: every field, model, multipart and audio error is 422',
    async (service) => {
      const text = Buffer.from('text, no audio at all here');
      rejected(await service.post(resonance, { file: text }), 422, 'unsupported_audio');
      rejected(
        await service.post(resonance, { fields: [['model', 'svc-resonance-2']] }),
        422,
        'missing_file',
      );
    },
    'resonance-2',
  ),
  iface.rule(
    '422 invalid audio or multipart upload;',
    async (service) => {
      const text = Buffer.from('text, no audio at all here');
      rejected(await service.post(synthetic, { file: text }), 422, 'unsupported_audio');
      rejected(
        await service.post(synthetic, { file: wavOf(16_000), fields: [['prompt', 'x']] }),
        422,
        'unknown_field',
      );
      rejected(
        await service.post(synthetic, {
          file: wavOf(16_000),
          fields: [['model', 'svc-resonance']],
        }),
        422,
        'model_not_supported',
      );
    },
    'paid',
  ),
];
