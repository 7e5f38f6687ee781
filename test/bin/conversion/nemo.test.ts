// Transducers of random weights: the tokens and times of onnx-asr and of sherpa-onnx, and words
// about what is wrong.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { convertFolder } from '../../../bin/conversion/convert-folder.ts';
import { ConversionError } from '../../../bin/conversion/model-file.ts';
import { loadNemoTdt, type NemoRecognizer } from '../../../models/asr/nemo/recognizer.ts';
import { toFloat } from '../../../models/audio/waveform.ts';
import { openModelStore } from '../../../models/bundles/store.ts';
import { clipSeconds, nemoCases, twinClip, twinSeed } from '../../twins/cases.ts';
import { writeNemoTwin, type NemoSizes } from '../../twins/nemo-twin.ts';

/** Token and frame of each clip, by mel bands; written by test/twins/run.ts. */
const [byOnnxAsr, bySherpa] = ['nemo.json', 'sherpa.json'].map((name) => {
  const path = join(import.meta.dirname, '../../twins', name);
  return JSON.parse(readFileSync(path, 'utf8')) as Record<string, number[][][]>;
}) as [Record<string, number[][][]>, Record<string, number[][][]>];
/** More tokens of one frame are a loop: the limit of sherpa-onnx. */
const sherpaTokensPerFrame = 5;

function folder(t: ExecutionContext): string {
  const path = mkdtempSync(join(tmpdir(), 'svc-conversion-'));
  t.teardown(() => rmSync(path, { recursive: true }));
  return path;
}

async function convertedTwin(t: ExecutionContext, sizes: NemoSizes) {
  const work = folder(t);
  writeNemoTwin(sizes, twinSeed, join(work, 'published'));
  await convertFolder(work, 'twin', join(work, 'published'));
  return openModelStore(work).bundle('twin', 'nemo-tdt');
}

for (const sizes of nemoCases) {
  test(`tokens and frames of onnx-asr with ${sizes.mels} mel bands`, async (t) => {
    const { directory, manifest } = await convertedTwin(t, sizes);
    t.deepEqual(manifest.languages, ['en']);
    const recognizer = await loadNemoTdt(directory, manifest);
    t.deepEqual(await decoded(recognizer), byOnnxAsr[sizes.mels]);
    t.deepEqual(await recognizer.decode(new Float32Array(200)), [], 'less than two frames');
  });
}

for (const sizes of nemoCases) {
  test(`tokens and frames of sherpa-onnx with ${sizes.mels} mel bands`, async (t) => {
    const { directory, manifest } = await convertedTwin(t, sizes);
    const limited = { ...manifest, maxTokensPerFrame: sherpaTokensPerFrame };
    t.deepEqual(await decoded(await loadNemoTdt(directory, limited)), bySherpa[sizes.mels]);
  });
}

/** Token and frame of each clip. */
async function decoded({ decode }: NemoRecognizer): Promise<number[][][]> {
  const clips: number[][][] = [];
  for (const seconds of clipSeconds) {
    const tokens = await decode(toFloat(twinClip(seconds)));
    clips.push(tokens.map(({ id, frame }) => [id, frame]));
  }
  return clips;
}

test('words begin with their first and end with the duration of their last token', async (t) => {
  const { directory, manifest } = await convertedTwin(t, nemoCases[0]!);
  const { words } = await loadNemoTdt(directory, manifest);
  // Every third piece begins a word.
  const token = (id: number, frame: number, frames: number) => {
    return { id, frame, frames, logProbability: Math.log(0.5) };
  };
  const rounded = words([token(3, 2, 2), token(4, 4, 0), token(6, 10, 3)]).map((word) => {
    return [word.word, ...[word.start, word.end, word.confidence!].map((x) => +x.toFixed(6))];
  });
  t.deepEqual(rounded, [
    ['p3p4', 0.16, 0.4, 0.5],
    ['p6', 0.8, 1.04, 0.5],
  ]);
  const loop = Array.from({ length: 12 }, (_, i) => token(3, i, 1));
  t.deepEqual(words(loop), [], 'a loop is no speech');
});

test('what is wrong with a transducer is said', async (t) => {
  const work = folder(t);
  const whole = join(work, 'whole');
  writeNemoTwin(nemoCases[0]!, twinSeed, whole);
  const damaged = (damage: (path: string) => void): string => {
    const path = mkdtempSync(join(work, 'damaged-'));
    cpSync(whole, path, { recursive: true });
    damage(path);
    return path;
  };
  const vocabulary = readFileSync(join(whole, 'vocab.txt'), 'utf8');
  const write = (name: string, text: string) => (path: string) => {
    writeFileSync(join(path, name), text);
  };
  const longer = `${Array.from({ length: 60 }, (_, i) => `p${i} ${i}`).join('\n')}\n<blk> 60\n`;
  const cases: readonly (readonly [string, RegExp])[] = [
    [damaged((path) => rmSync(join(path, 'vocab.txt'))), /there is no vocab\.txt/],
    [damaged(write('vocab.txt', vocabulary.replace('<blk>', 'blk'))), /41 tokens, and no <blk>/],
    [damaged(write('vocab.txt', longer)), /do not run with vocab\.txt of 61 tokens/],
    [damaged(write('config.json', '{"model_type": "whisper"}')), /names a whisper, not a nemo/],
    [damaged(write('decoder_joint-model.onnx', 'no graph')), /decoder_joint-model\.onnx cannot be/],
    [damaged(write('encoder-model.onnx', 'no graph')), /the graphs do not run/],
  ];
  for (const [from, message] of cases) {
    const error = await t.throwsAsync(convertFolder(work, 'twin', from), {
      instanceOf: ConversionError,
    });
    t.regex(error.message, message);
  }
});
