// Synthetic speech and proficiency: their rules beyond fields and limits.
import assert from 'node:assert/strict';
import { section, type Entry } from '../case.ts';
import { body } from '../corpus.ts';
import { encoded, melody, wavOf } from '../recordings.ts';
import { ok, rejected } from '../service.ts';

const iface = section('Classifiers', 'interface.md');
const contract = section('Classifiers', 'contract.md');

const synthetic = '/v1/audio/synthetic-speech';

export const proficiency: readonly Entry[] = [
  iface.rule(
    'file (binary, required; English audio 1-60 seconds; WAV, FLAC, OGG or MP3; max 12 MiB)',
    async (service) => {
      for (const format of ['flac', 'ogg', 'mp3'] as const) {
        ok(await service.post(synthetic, { file: await encoded(format) }));
      }
      rejected(
        await service.post(synthetic, { file: await encoded('m4a') }),
        422,
        'unsupported_audio',
      );
    },
    'paid',
  ),
  iface.rule(
    '| prediction | enum `human`, `synthetic` | |',
    async (service) => {
      const { prediction, synthetic_score: score, segments } = await body(service, 'synthetic');
      assert.equal(prediction, score >= 0.5 ? 'synthetic' : 'human');
      for (const part of segments) {
        assert.equal(part.prediction, part.synthetic_score >= 0.5 ? 'synthetic' : 'human');
        assert.ok(part.end > part.start);
      }
    },
    'paid',
  ),
  iface.untestable(
    '429 worker busy, retry after one second;',
    'the capacity of a deployment is not known outside',
  ),
  iface.untestable(
    '503 preview disabled or worker unavailable.',
    'nothing of the deployment may be broken for it',
  ),
  contract.rule(
    '`cefr_probs` keys A1..C2, `fluency_probs` keys low, intermediate, high;',
    async (service) => {
      const { proficiency } = await body(service, 'proficiency');
      assert.deepEqual(Object.keys(proficiency.cefr_probs).sort(), [
        'A1',
        'A2',
        'B1',
        'B2',
        'C1',
        'C2',
      ]);
      assert.deepEqual(Object.keys(proficiency.fluency_probs).sort(), [
        'high',
        'intermediate',
        'low',
      ]);
      assert.equal(proficiency.confidence, proficiency.cefr_probs[proficiency.cefr]);
      for (const shares of [proficiency.cefr_probs, proficiency.fluency_probs]) {
        const sum = Object.values<number>(shares).reduce((a, b) => a + b, 0);
        assert.ok(Math.abs(sum - 1) < 1e-3, `they add up to ${sum}`);
      }
    },
  ),
  contract.rule('transcript at most 20,000 characters.', async (service) => {
    const transcript = 'a '.repeat(10_001);
    const fields = [['transcript', `${transcript}b`]] as const;
    rejected(
      await service.post('/v1/audio/proficiency', { file: wavOf(96_000), fields }),
      400,
      'invalid_field',
    );
  }),
  iface.rule(
    'Proficiency billing follows `check.billable`; `insufficient_audio` is free.',
    async (service) => {
      const free = await body(service, 'proficiencySilence');
      assert.deepEqual(
        [free.check.status, free.check.billable, free.usage.billable_seconds],
        ['insufficient_audio', false, 0],
      );
      const music = ok(await service.post('/v1/audio/proficiency', { file: melody(8) }));
      assert.equal(music.check.status, 'insufficient_audio');
      const billed = await body(service, 'proficiency');
      assert.equal(billed.usage.billable_seconds > 0, billed.check.billable);
    },
  ),
  iface.rule('alias of top-level check |', async (service) => {
    for (const name of ['proficiency', 'proficiencySilence'] as const) {
      const { proficiency, check } = await body(service, name);
      assert.deepEqual(proficiency.legacy_check, check);
    }
  }),
  iface.rule(
    'transcript_used is true when a reference transcript was supplied |',
    async (service) => {
      const [auto, read] = [
        await body(service, 'proficiency'),
        await body(service, 'proficiencyRead'),
      ];
      assert.equal(auto.proficiency.continuous_metadata.transcript_used, false);
      assert.equal(read.proficiency.continuous_metadata.transcript_used, true);
      assert.deepEqual(
        [auto.proficiency.transcript_used, read.proficiency.transcript_used],
        [true, true],
      );
    },
  ),
  iface.rule(
    'when omitted the recording is transcribed with Resonance and the text is returned).',
    async (service) => {
      assert.ok((await body(service, 'proficiency')).text.length > 20);
    },
  ),
  iface.rule('null means unavailable, not zero |', async (service) => {
    const { proficiency } = await body(service, 'proficiencySilence');
    assert.deepEqual(
      [proficiency.score, proficiency.components, proficiency.status],
      [null, null, 'unscorable'],
    );
  }),
  iface.rule('| scored_word_count | integer | required |', async (service) => {
    const { proficiency } = await body(service, 'proficiencyRead');
    const scored = proficiency.words.filter(({ status }: any) => status === 'scored');
    assert.equal(scored.length, proficiency.scored_word_count);
    assert.equal(proficiency.words.length, proficiency.word_count);
  }),
];
