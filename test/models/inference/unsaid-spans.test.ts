// Of what the speech check is unsure of, what nobody says anything in is without speech.
import test from 'ava';
import {
  certainSpeechLogit,
  minSpeechLogit,
  sureSpeechLogit,
} from '../../../models/affect/no-speech.ts';
import { speechEvidence } from '../../../models/affect/reader.ts';
import { toFloat } from '../../../models/audio/waveform.ts';
import { openModelStore } from '../../../models/bundles/store.ts';
import type { ChunkRequest, ScoredSpan } from '../../../models/inference/jobs.ts';
import { loadModels } from '../../../models/inference/loaded-models.ts';
import { withoutUnheardTexts } from '../../../models/inference/unheard-texts.ts';
import { scoredOfSpeech } from '../../../models/inference/unsaid-spans.ts';
import { testServers } from '../../support/environment.ts';
import { untrainedSound } from '../../support/sounds.ts';
import { speech } from '../../support/speech.ts';

const doubtful = (minSpeechLogit + sureSpeechLogit) / 2;
/** Log-odds. */
const soundsLikeMusic = -5;

test('scores of what the speech check is unsure of need a word', async (t) => {
  const models = await loadModels(openModelStore(testServers().modelsDirectory));
  const spoken = toFloat(await speech('I would like to pay my bill.'));
  const drums = untrainedSound('drums', { seconds: 2, seed: 1 });
  const asked = { words: false, language: null, text: false, head: 'svc-resonance', spans: [] };

  /** For each span whether it still reads as speech. */
  const kept = async (
    pcm: Float32Array,
    spans: readonly ScoredSpan[],
    more: Partial<ChunkRequest> & { readonly written?: string } = {},
    loaded = models,
  ): Promise<readonly boolean[]> => {
    const { written: text, ...request } = more;
    const chunk = { request: { ...asked, ...request }, pcm, sound: null };
    const written = text === undefined ? null : { text, language: 'en' };
    const [found] = await scoredOfSpeech(loaded, [{ chunk, spans, written }]);
    t.deepEqual(
      found!.map(({ readings }) => readings.slice(0, -2)),
      spans.map(({ readings }) => readings.slice(0, -2)),
    );
    return found!.map(({ readings }) => speechEvidence(readings).logit >= minSpeechLogit);
  };
  const span = (pcm: Float32Array, logit: number, { start = 0, odds = 0 } = {}): ScoredSpan => {
    return { start, end: start + pcm.length / 16_000, readings: Float32Array.of(0.5, logit, odds) };
  };

  t.deepEqual(await kept(spoken, [span(spoken, doubtful)]), [true]);
  t.deepEqual(await kept(drums, [span(drums, doubtful)]), [false]);
  t.deepEqual(await kept(drums, [span(drums, sureSpeechLogit)]), [true], 'the check is sure');
  const [odds, sure] = [soundsLikeMusic, sureSpeechLogit];
  t.deepEqual(await kept(drums, [span(drums, sure, { odds })]), [false], 'the other is not');
  t.deepEqual(await kept(drums, [span(drums, certainSpeechLogit, { odds })]), [true]);
  t.deepEqual(await kept(spoken, [span(spoken, sure, { odds })]), [true], 'sure words are said');
  const whistle = untrainedSound('whistle', { seconds: 2, seed: 3 });
  t.deepEqual(await kept(whistle, [span(whistle, doubtful)]), [true], 'unsure words are heard');
  t.deepEqual(await kept(whistle, [span(whistle, doubtful, { odds })]), [false]);
  const synthetic = { head: 'svczero' };
  t.deepEqual(await kept(drums, [span(drums, doubtful)], synthetic), [true], 'no logit of speech');

  const [own, alone] = [models, { ...models, transcriber: null }];
  for (const known of [own, alone]) {
    const german = { language: 'de' };
    t.deepEqual(await kept(spoken, [span(spoken, doubtful)], german, known), [true]);
  }

  const withWords = { words: true };
  t.deepEqual(await kept(drums, [span(drums, doubtful)], withWords), [true], 'decided later');
  const [silent, written] = ['', 'Hello.'].map((text) => ({ text: true, written: text }));
  t.deepEqual(await kept(spoken, [span(spoken, doubtful)], silent!), [false]);
  t.deepEqual(await kept(drums, [span(drums, doubtful)], written!), [true]);

  const pause = new Float32Array(32_000);
  const pauseAt = spoken.length / 16_000 + 1;
  const both = new Float32Array(spoken.length + 16_000 + pause.length);
  both.set(spoken);
  for (const logit of [doubtful, sureSpeechLogit]) {
    const spans = [span(spoken, logit), span(pause, doubtful, { start: pauseAt })];
    t.deepEqual(await kept(both, spans), [true, false], 'words count for what they are near to');
  }
});

test('texts of what the speech check takes for another sound need sure words', async (t) => {
  const models = await loadModels(openModelStore(testServers().modelsDirectory));
  /** @param heard logit and log-odds of the speech check */
  const kept = async (pcm: Float32Array, heard: [number, number], text: string) => {
    const asked = { words: false, language: null, text: true, head: 'svc-spectra-2', spans: [] };
    const chunk = { request: { model: 'svc-spectra-2', ...asked }, pcm, sound: null };
    const spans = [{ start: 0, end: 1, readings: Float32Array.of(0.5, ...heard) }];
    const scored = { chunk, spans, written: { text, language: 'en' } };
    return (await withoutUnheardTexts(models, [scored]))[0]!.written!.text;
  };
  const spoken = toFloat(await speech('I would like to pay my bill.'));
  const drums = untrainedSound('drums', { seconds: 2, seed: 2 });
  t.is(await kept(drums, [minSpeechLogit - 1, 0], 'You'), '');
  t.is(await kept(drums, [minSpeechLogit, 0], 'You'), 'You', 'the check hears speech');
  t.is(await kept(drums, [sureSpeechLogit, soundsLikeMusic], 'You'), '', 'or does not quite');
  const [nothing, music] = [minSpeechLogit - 1, soundsLikeMusic];
  t.is(await kept(spoken, [nothing, 0], 'Pay.'), 'Pay.', 'the recogniser is sure');
  t.is(await kept(spoken, [sureSpeechLogit, music], 'Pay.'), 'Pay.');
  t.is(await kept(spoken, [nothing, 0], ''), '');
});
