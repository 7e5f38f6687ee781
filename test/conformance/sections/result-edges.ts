// Results of recordings with little speech, or that end between two of a model's hops.
import assert from 'node:assert/strict';
import { toWav } from '../../support/speech.ts';
import { section, type Entry } from '../case.ts';
import { bodies } from '../corpus.ts';
import { dialogue, quiet, spokenSamples, wavOf } from '../recordings.ts';
import { ok, type Service } from '../service.ts';

const iface = section('Results', 'interface.md');
const contract = section('Results', 'contract.md');

const diarize = ['diarize', 'true'] as const;
const lite = ['model', 'svc-svceet'] as const;
const emotions = ['emotion_detection', 'true'] as const;
const verbose = ['response_format', 'verbose_json'] as const;

/** So many seconds of speech without a pause, cut off in the middle of it. */
async function endless(seconds: number): Promise<Buffer> {
  const sentence = await spokenSamples();
  const samples = Math.round(seconds * 16_000);
  return toWav(Int16Array.from({ length: samples }, (_, i) => sentence[i % sentence.length]!));
}

async function transcribed(
  service: Service,
  file: Buffer,
  fields: readonly (readonly [string, string])[],
): Promise<any> {
  return ok(await service.post('/v1/audio/transcriptions', { file, fields }));
}

export const resultEdges: readonly Entry[] = [
  iface.rule(
    '| segments | array of {id integer, start number, end number, speaker string, text string} |',
    async (service) => {
      for (const seconds of [3.001, 10.01, 20]) {
        const file = await endless(seconds);
        const result = await transcribed(service, file, [lite, diarize, emotions]);
        for (const part of [...result.segments, ...result.emotion_detection.segments]) {
          assert.ok(part.start < part.end && part.end <= result.duration, JSON.stringify(part));
        }
      }
    },
  ),
  iface.rule('No timestamps, segments or diarization are returned.', async (service) => {
    for (const result of await bodies(service, 'spectra', 'spectraAnalysis')) {
      const names = ['segments', 'words', 'diarized', 'speakers', 'start', 'end'];
      assert.deepEqual(
        names.filter((name) => name in result),
        [],
      );
    }
  }),
  iface.rule(
    'For compatibility, numeric legacy estimates are present on invalid checks',
    async (service) => {
      const [{ check, proficiency }] = await bodies(service, 'proficiencySilence');
      assert.equal(check.status, 'insufficient_audio');
      for (const name of ['cefr_score', 'confidence', 'fluency_score'] as const) {
        assert.equal(typeof proficiency[name], 'number', name);
      }
    },
  ),
  iface.rule('| speakers | array of string | |', async (service) => {
    const silent = await transcribed(service, quiet(2), [lite, diarize, emotions, verbose]);
    assert.deepEqual([silent.speakers, silent.segments, silent.diarized], [[], [], false]);
    assert.equal(silent.emotion_detection.segments.length, 1);
  }),
  contract.rule('`diarized` false, `speakers` [].', async (service) => {
    for (const path of ['transcriptions', 'emotions', 'affect', 'analysis']) {
      const request = { file: quiet(2), fields: [diarize] };
      const silent = ok(await service.post(`/v1/audio/${path}`, request));
      assert.deepEqual([silent.diarized, silent.speakers], [false, []], path);
      assert.ok(silent.segments.every(({ speaker }: any) => speaker === null));
    }
  }),
  iface.rule(
    '| transcript_used | boolean | required; legacy, also true when an automatic transcript was used |',
    async (service) => {
      const request = { file: quiet(6), fields: [['transcript', 'Good morning.']] as const };
      const { proficiency } = ok(await service.post('/v1/audio/proficiency', request));
      assert.equal(proficiency.continuous_metadata.transcript_used, true);
      assert.equal(proficiency.transcript_used, true);
    },
  ),
  iface.rule('| text | string or null | |', async (service) => {
    for (const { text, segments } of await bodies(
      service,
      'transcriptionDiarized',
      'analysisDiarized',
    )) {
      const said = segments.map((segment: any) => segment.text).filter((own: string) => own !== '');
      assert.equal(text, said.join(' '));
    }
  }),
  iface.rule(
    '| segments | array of 1 to 10 items {start number 0-60, end number >0 and <=60, synthetic_score number 0-1,',
    async (service) => {
      for (const samples of [96_000, 96_001, 192_001, 864_001, 960_000]) {
        const request = { file: wavOf(samples) };
        const result = ok(await service.post('/v1/audio/synthetic-speech', request));
        const { segments, duration, synthetic_score: score } = result;
        assert.ok(segments.length >= 1 && segments.length <= 10, `${segments.length} segments`);
        for (const { start, end } of segments) assert.ok(start < end, `${start} to ${end}`);
        assert.equal(segments.at(-1).end, duration);
        const logit = (p: number) => Math.log(Math.max(p, 1e-9) / Math.max(1 - p, 1e-9));
        const mean = segments.reduce(
          (sum: number, part: any) => sum + (part.end - part.start) * logit(part.synthetic_score),
          0,
        );
        const expected = 1 / (1 + Math.exp(-mean / duration));
        assert.ok(Math.abs(score - expected) < 0.001, `${score} for a mean of ${expected}`);
      }
    },
    'paid',
  ),
  iface.rule(
    '| num_speakers | integer 1-32 | unset (auto-detect) | exact speaker count, used when diarize is true |',
    async (service) => {
      for (const count of [1, 3, 32]) {
        const fields = [diarize, ['num_speakers', String(count)]] as const;
        const { speakers } = await transcribed(service, await dialogue(), fields);
        assert.equal(speakers.length, count);
      }
    },
  ),
];
