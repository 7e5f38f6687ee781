// Usage, billing and diarization.
import assert from 'node:assert/strict';
import { section, type Entry } from '../case.ts';
import { bodies, body, speechResults } from '../corpus.ts';
import { dialogue, wavOf } from '../recordings.ts';
import { ok } from '../service.ts';

const iface = section('Results', 'interface.md');
const contract = section('Results', 'contract.md');

export const emotions =
  'happy, excited, hopeful, sad, worried, angry, frustrated, disappointed, scared, disgusted, surprised, embarrassed, proud, relieved, neutral';
export const styles =
  'energetic, passionate, irritated, warm, playful, sarcastic, deadpan, hesitant, confident, sincere, skeptical, tired, formal, casual, impatient, distracted';

export const amounts: readonly Entry[] = [
  iface.rule(
    'speaker labels in order of first appearance; empty unless diarized |',
    async (service) => {
      for (const name of ['transcriptionDiarized', 'analysisTwo'] as const) {
        const { speakers, segments } = await body(service, name);
        assert.deepEqual(speakers, [...new Set(segments.map(({ speaker }: any) => speaker))]);
        assert.deepEqual(
          speakers,
          Array.from(speakers, (_, i) => `speaker_${i}`),
        );
      }
      const plain = await body(service, 'analysis');
      assert.deepEqual([plain.diarized, plain.speakers], [false, []]);
    },
  ),
  iface.rule(
    '| num_speakers | integer 1-32 | unset (auto-detect) | exact speaker count, used when diarize is true |',
    async (service) => {
      assert.equal((await body(service, 'analysisTwo')).speakers.length, 2);
      const one = ok(
        await service.post('/v1/audio/transcriptions', {
          file: await dialogue(),
          fields: [
            ['diarize', 'true'],
            ['num_speakers', '1'],
          ],
        }),
      );
      assert.deepEqual(one.speakers, ['speaker_0']);
    },
  ),
  iface.rule('All JSON numbers named as seconds are seconds.', async (service) => {
    for (const { duration, segments } of await bodies(service, ...speechResults)) {
      for (const { start, end, words } of segments) {
        assert.ok(
          start >= 0 && end >= start && end <= duration + 0.001,
          `${start} to ${end} of ${duration}`,
        );
        for (const word of words) assert.ok(word.end >= word.start && word.end <= duration + 0.001);
      }
    }
  }),
  iface.rule(
    'With `svc-resonance` the transcription decoder is not run and the result has no transcript text.',
    async (service) => {
      assert.equal((await body(service, 'emotion')).text, null);
    },
  ),
  iface.rule(
    'One audio minute uses one plan minute. Duration is measured by the second with a one-second minimum.',
    async (service) => {
      for (const { usage, duration } of await bodies(
        service,
        ...speechResults.filter((name) => name !== 'proficiencySilence'),
      )) {
        assert.equal(usage.billable_seconds, Math.max(1, Math.ceil(duration - 1e-3)));
        assert.equal(usage.audio_seconds, duration);
      }
    },
  ),
  contract.rule('rates and costs are decimal strings with four and six.', async (service) => {
    for (const { usage, duration } of await bodies(service, ...speechResults)) {
      assert.equal(duration, Number(duration.toFixed(3)));
      assert.match(usage.rate_per_minute_usd, /^\d+\.\d{4}$/);
      assert.match(usage.estimated_cost_usd, /^\d+\.\d{6}$/);
      const exact = (Number(usage.rate_per_minute_usd) * usage.billable_seconds) / 60;
      assert.ok(
        Math.abs(Number(usage.estimated_cost_usd) - exact) < 6e-7,
        usage.estimated_cost_usd,
      );
    }
  }),
  contract.rule(
    '0 when free (synthetic speech, proficiency `insufficient_audio`); silent and abstained clips are billed.',
    async (service) => {
      const [silence, free] = await bodies(service, 'transcriptionSilence', 'proficiencySilence');
      assert.equal(silence.usage.billable_seconds, 2);
      assert.equal(free.usage.billable_seconds, 0);
    },
  ),
  iface.rule(
    '| Billing | one-second minimum; one audio minute equals one plan minute |',
    async (service) => {
      const short = ok(await service.post('/v1/audio/emotions', { file: wavOf(4_000) }));
      assert.deepEqual([short.duration, short.usage.billable_seconds], [0.25, 1]);
    },
  ),
];
