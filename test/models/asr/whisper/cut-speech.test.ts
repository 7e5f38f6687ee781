// Whisper on speech that is cut off at the end of its window: it is read to the end.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { endsEarly } from '../../../../models/asr/whisper/acceptance.ts';
import { encodeWhisper } from '../../../../models/asr/whisper/encoder.ts';
import { paddedWindow } from '../../../../models/asr/whisper/padded-window.ts';
import { loadModel, loadWhisper, openGraphs } from '../../../../models/asr/whisper/recognizer.ts';
import { transcribe, tryOnce } from '../../../../models/asr/whisper/temperature-fallback.ts';
import { toFloat } from '../../../../models/audio/waveform.ts';
import { openModelStore } from '../../../../models/bundles/store.ts';
import { readPcm } from '../../../eval/speech-data.ts';
import { testServers } from '../../../support/environment.ts';

const prompts = '/usr/share/asterisk/sounds';
const menu = join(prompts, 'en_US_f_Allison', 'conf-adminmenu.wav');
const mailbox = join(prompts, 'ru_RU_f_IvrvoiceRU', 'vm-instructions.wav');
const arePromptsHere = existsSync(menu) && existsSync(mailbox);

/** @param span seconds */
async function cut(path: string, span: { readonly from: number; readonly to: number }) {
  return toFloat(await readPcm(path)).slice(span.from * 16_000, span.to * 16_000);
}

function bundle() {
  return openModelStore(testServers().modelsDirectory).bundle('whisper-base', 'whisper');
}

test('a window that is cut off in speech is read to its end', async (t) => {
  if (!arePromptsHere) return void t.pass('its recordings are not on this machine');
  const { directory, manifest } = bundle();
  const whisper = await loadWhisper(directory, manifest);
  const read = async (samples: Float32Array, language: string) =>
    (await whisper.recognise([{ samples, language }], { words: false }))[0]!.text;
  for (const from of [8.8, 9]) {
    const text = await read(await cut(menu, { from, to: from + 8.2 }), 'en');
    t.regex(text, /6 to decrease or increase .* 9 to decrease or increase your volume/);
  }
  t.regex(await read(await cut(mailbox, { from: 0, to: 7 }), 'ru'), /нажмите один.*решетку/);
});

test('what ends early in a window with few states is read again in more', async (t) => {
  if (!arePromptsHere) return void t.pass('its recordings are not on this machine');
  const { directory, manifest } = bundle();
  const encoder = await openGraphs(directory, manifest, 'encoder');
  const model = {
    ...(await loadModel(directory, manifest)),
    encode: (...[samples, window]: [Float32Array, ReturnType<typeof paddedWindow>]) =>
      encodeWhisper(encoder, manifest, samples, window),
    durationSeconds: ({ length }: Float32Array) => length / 16_000,
    windowOf: ({ samples }: { readonly samples: Float32Array }) => paddedWindow(samples.length),
    attention: false,
  };
  const chunk = { samples: await cut(mailbox, { from: 0, to: 7.2 }), language: 'ru' };
  const [first] = await tryOnce(model, [chunk]);
  t.notRegex(first!.outcome!.written!.text, /решетку/, 'or this says nothing');
  const [read] = await transcribe(model, [chunk]);
  t.regex(read!.written!.text, /нажмите один.*решетку/);
});

test('few tokens before an unlikely end are early; a likely end or many tokens are not', (t) => {
  const written = (count: number, end: number) => ({
    ended: true,
    tokens: [...Array.from({ length: count }, () => 1), end].map((probability, id) => ({
      ...{ id, logProbability: Math.log(probability) },
    })),
  });
  t.true(endsEarly(written(3, 0.3), 6.5));
  t.false(endsEarly(written(3, 0.9), 6.5));
  t.false(endsEarly(written(18, 0.3), 6.5), 'cut off in a word');
  t.false(endsEarly({ ...written(3, 0.3), ended: false }, 6.5));
});
