// What a result contains: vocabularies, thresholds, fields per task, speakers, logits, amounts.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { section, type Entry } from '../case.ts';
import { bodies, body, speechResults, type AnswerName } from '../corpus.ts';
import { wavOf } from '../recordings.ts';
import { ok, type Service } from '../service.ts';

const iface = section('Results', 'interface.md');
const contract = section('Results', 'contract.md');

export const emotions =
  'happy, excited, hopeful, sad, worried, angry, frustrated, disappointed, scared, disgusted, surprised, embarrassed, proud, relieved, neutral';
export const styles =
  'energetic, passionate, irritated, warm, playful, sarcastic, deadpan, hesitant, confident, sincere, skeptical, tired, formal, casual, impatient, distracted';
const sorted = (labels: string): readonly string[] => labels.split(', ').sort();

async function labelsOf(service: Service, name: AnswerName, wanted: string): Promise<void> {
  for (const { scores, raw_logits: logits } of (await body(service, name)).segments) {
    assert.deepEqual(Object.keys(scores).sort(), sorted(wanted));
    assert.deepEqual(Object.keys(logits).sort(), sorted(wanted), 'same keys as scores');
    for (const [label, score] of Object.entries<number>(scores)) {
      const expected = 1 / (1 + Math.exp(-logits[label]));
      assert.ok(
        Math.abs(score - expected) < 2e-6,
        `${label}: ${score} is not sigmoid(${logits[label]})`,
      );
    }
  }
}

const withoutScores = speechResults.filter(
  (name) => !/Logits|Diarized|affectSilence|fourierAnalysis/.test(name),
);

/** A row of contract.md's table of fields per task. */
function task(
  row: string,
  names: readonly AnswerName[],
  wanted: { text: boolean; tagged: boolean; words: boolean; emotions: boolean; styles: boolean },
): Entry {
  return contract.rule(row, async (service) => {
    for (const result of await bodies(service, ...names)) {
      assert.equal(typeof result.text, wanted.text ? 'string' : 'object', 'text');
      assert.equal(result.language, wanted.text ? 'en' : null, 'language');
      assert.equal(typeof result.tagged_text, wanted.tagged ? 'string' : 'object', 'tagged_text');
      assert.equal(result.emotions.length > 0, wanted.emotions, 'emotions');
      if (!wanted.styles) assert.deepEqual(result.styles, [], 'styles');
      assert.ok(result.segments.length > 0, 'segments');
      for (const segment of result.segments) {
        assert.equal(segment.words.length > 0, wanted.words && segment.text !== '', 'words');
        assert.equal(segment.emotions.length > 0, wanted.emotions, 'emotions of a segment');
        assert.equal(segment.text === null, !wanted.text, 'text of a segment');
        assert.equal(segment.tagged_text !== null, wanted.tagged, 'tagged text of a segment');
        if (wanted.tagged) assert.ok(result.tagged_text.includes(segment.tagged_text));
      }
    }
  });
}

export const results: readonly Entry[] = [
  iface.rule(`- Emotion labels (15): ${emotions}.`, (service) =>
    labelsOf(service, 'emotionLogits', emotions),
  ),
  iface.rule(`- Style labels (16): ${styles}.`, (service) =>
    labelsOf(service, 'styleLogits', styles),
  ),
  iface.rule('analysis/affect return 31 labels, emotions 15, styles 16;', async (service) => {
    for (const name of [
      'affectLogits',
      'analysisLogits',
      'analysisDiarized',
      'fourierAnalysis',
    ] as const) {
      await labelsOf(service, name, `${emotions}, ${styles}`);
    }
  }),
  iface.rule('when false both fields are omitted', async (service) => {
    for (const result of await bodies(service, ...withoutScores)) {
      for (const segment of result.segments) {
        assert.ok(!('scores' in segment) && !('raw_logits' in segment), result.task);
      }
    }
  }),
  iface.rule(
    'adds per-segment `scores` and `raw_logits`; works with diarize=true;',
    async (service) => {
      const { segments } = await body(service, 'analysisDiarized');
      assert.ok(
        segments.every((segment: any) => segment.scores && segment.raw_logits && segment.speaker),
      );
    },
  ),
  iface.rule(
    'Outputs of the Resonance/Fourier family are selected by model thresholds: if no emotion clears its threshold, the highest-scoring emotion is returned; the style list can be empty.',
    async (service) => {
      for (const segment of (await body(service, 'affectLogits')).segments) {
        assert.ok(segment.emotions.length >= 1);
        const names = sorted(emotions);
        const best = names.reduce((a, b) => (segment.scores[b] > segment.scores[a] ? b : a));
        assert.ok(
          segment.emotions.some(({ label }: any) => label === best),
          `${best} is the best`,
        );
      }
    },
  ),
  contract.rule("`emotions[].score` equals the same label's `scores` value.", async (service) => {
    for (const { segments } of await bodies(
      service,
      'analysisLogits',
      'affectLogits',
      'affectDiarized',
    )) {
      for (const segment of segments) {
        for (const { label, score } of [...segment.emotions, ...segment.styles]) {
          assert.equal(score, segment.scores[label], label);
        }
      }
    }
  }),
  contract.rule(
    '`id` is `res_` + a hash of organization, request id and attempt;',
    async (service) => {
      const ids = (await bodies(service, ...speechResults)).map(({ id }) => id);
      assert.equal(new Set(ids).size, ids.length);
    },
  ),
  contract.rule(
    '`id` is `res_` + a hash of organization, request id and attempt;',
    async (service) => {
      const request = { file: wavOf(16_000), id: `conformance-${randomUUID()}` };
      const own = ok(await service.post('/v1/audio/emotions', request));
      const key = service.keyOf('other');
      const other = ok(await service.post('/v1/audio/emotions', { ...request, key }));
      assert.notEqual(own.id, other.id);
    },
    'other',
  ),
  contract.rule('Absent optional strings are null, lists are [].', async (service) => {
    const result = await body(service, 'emotion');
    assert.deepEqual([result.text, result.tagged_text, result.language], [null, null, null]);
    assert.deepEqual([result.styles, result.speakers], [[], []]);
  }),
  task(
    '| transcription | string | null, "en" | yes | [] | [] | yes |',
    ['transcription', 'fourierTranscription', 'transcriptionDiarized'],
    { text: true, tagged: false, words: true, emotions: false, styles: false },
  ),
  contract.rule(
    '| emotion / style / affect | null | null, null | [] | emotion, affect | style, affect | yes |',
    async (service) => {
      const [emotion, style, affect] = await bodies(service, 'emotion', 'style', 'affect');
      for (const result of [emotion, style, affect]) {
        assert.deepEqual([result.text, result.tagged_text, result.language], [null, null, null]);
        assert.ok(result.segments.length > 0);
        assert.ok(result.segments.every(({ words }: any) => words.length === 0));
      }
      assert.ok(emotion.emotions.length > 0 && affect.emotions.length > 0);
      assert.deepEqual([emotion.styles, style.emotions], [[], []]);
    },
  ),
  task(
    '| analysis | string | string, "en" | yes | yes | yes | yes |',
    ['analysis', 'analysisDiarized', 'fourierAnalysis'],
    { text: true, tagged: true, words: true, emotions: true, styles: true },
  ),
  task(
    '| proficiency | string | null, "en" | yes | [] | [] | yes |',
    ['proficiency', 'proficiencyRead'],
    { text: true, tagged: false, words: true, emotions: false, styles: false },
  ),
  contract.rule(
    'silence, noise, tones, music, hold music): text "", segments [] for transcription; emotion tasks give one segment over the whole clip,',
    async (service) => {
      const [silent, affect] = await bodies(service, 'transcriptionSilence', 'affectSilence');
      assert.deepEqual([silent.text, silent.segments], ['', []]);
      assert.equal(affect.segments.length, 1);
      assert.deepEqual([affect.segments[0].start, affect.segments[0].end], [0, affect.duration]);
    },
  ),
  iface.rule('`speaker_0`, `speaker_1`, ... when diarize=true;', async (service) => {
    for (const result of await bodies(
      service,
      'transcriptionDiarized',
      'analysisDiarized',
      'affectDiarized',
    )) {
      assert.equal(result.diarized, true);
      assert.ok(result.segments.every(({ speaker }: any) => result.speakers.includes(speaker)));
    }
    const { segments } = await body(service, 'analysis');
    assert.ok(
      segments.every(({ speaker }: any) => speaker === null),
      'null without diarize',
    );
  }),
];
