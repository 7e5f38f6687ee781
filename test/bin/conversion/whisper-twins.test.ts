// Whisper models of random weights: each format gives the same bundle, and another decoder's tokens
// are the likeliest here, too.
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { convertFolder } from '../../../bin/conversion/convert-folder.ts';
import { whisperTokensOf } from '../../../bin/conversion/whisper-tokens.ts';
import { rowsOfChunk } from '../../../models/asr/whisper/decoder.ts';
import { encodeWhisper } from '../../../models/asr/whisper/encoder.ts';
import { loadModel, openGraphs } from '../../../models/asr/whisper/recognizer.ts';
import { toFloat } from '../../../models/audio/waveform.ts';
import type { Manifest } from '../../../models/bundles/manifest.ts';
import { openModelStore } from '../../../models/bundles/store.ts';
import { float32Tensor } from '../../../models/onnx/tensor.ts';
import {
  clipSeconds,
  transformersCases,
  twinClip,
  twinSeed,
  whisperCases,
  type WhisperCase,
} from '../../twins/cases.ts';
import { promptOf } from '../../twins/prompt.ts';
import { writeCtranslate2, writeGgml, writeSafetensors } from '../../twins/whisper-formats.ts';
import { makeTwin, type Twin } from '../../twins/whisper-twin.ts';

/** Written by test/twins/transformers.ts: token and frame of each step, of each clip. */
const transformers = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../twins/transformers.json'), 'utf8'),
) as Record<string, [number, number][][]>;
/** Written by test/twins/run.ts. */
const reference = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../twins/whisper.json'), 'utf8'),
) as Record<string, number[][]>;
/** The positions of the published model, each with a state of its own. */
const positions = Array.from({ length: 1_500 }, (_, i) => i);
const fullWindow = { frames: 3_000, positions, counts: positions.map(() => 1) };
/**
 * Matrices of int8 move logits, whose deviation is 1.4, by less; two tokens that are nearer to each
 * other may change places.
 */
const rounding = 0.1;
/** Of a token's place, of the 1,500 that the decoder looks at. */
const roundingFrames = 5;

function folder(t: ExecutionContext): string {
  const path = mkdtempSync(join(tmpdir(), 'svc-conversion-'));
  t.teardown(() => rmSync(path, { recursive: true }));
  return path;
}

for (const each of whisperCases) {
  test(`${each.name}: tokens of CTranslate2, step by step`, async (t) => {
    const steps = await follow(t, each, { write: writeCtranslate2, clips: reference[each.name]! });
    checkTokens(t, steps.flat());
  });
}

for (const each of transformersCases) {
  test(`${each.name}: tokens of transformers and where they are, step by step`, async (t) => {
    const decoded = transformers[each.name]!;
    const clips = decoded.map((clip) => clip.map(([token]) => token));
    const steps = await follow(t, each, { write: writeSafetensors, clips });
    checkTokens(t, steps.flat());
    const apart = steps.flatMap((clip, i) =>
      clip.map(({ centre }, at) => Math.abs(centre - decoded[i]![at]![1])),
    );
    t.true(Math.max(...apart) < roundingFrames, `${Math.max(...apart)} frames`);
  });
}

interface Step {
  /** Of the likeliest token's logit from that of the token that the other decoder chose. */
  readonly gap: number;
  /** Of the attention, in frames of 20 ms. */
  readonly centre: number;
}

interface Followed {
  readonly write: (twin: Twin, folder: string) => void;
  /** Tokens of each clip. */
  readonly clips: readonly (readonly number[])[];
}

/** Reads the tokens of another decoder. */
async function follow(
  t: ExecutionContext,
  { sizes, language }: WhisperCase,
  { write, clips }: Followed,
): Promise<readonly (readonly Step[])[]> {
  const work = folder(t);
  const twin = makeTwin(sizes, twinSeed);
  write(twin, join(work, 'published'));
  await convertFolder(work, 'twin', join(work, 'published'));
  const { directory, manifest } = openModelStore(work).bundle('twin', 'whisper');
  t.is(Object.keys(manifest.languageTokens).length > 0, sizes.vocabularySize > 51_864);
  const encoder = await openGraphs(directory, manifest, 'encoder');
  const { decoder, tokens } = await loadModel(directory, manifest);
  const prompt = promptOf(whisperTokensOf(sizes.vocabularySize, twin.text), language);
  const never = new Float32Array(sizes.vocabularySize).fill(-Infinity, tokens.endOfText + 1);
  const forbidden = float32Tensor(never, [sizes.vocabularySize]);
  const followed: Step[][] = [];
  for (const [clip, expected] of clips.entries()) {
    const samples = toFloat(twinClip(clipSeconds[clip]!));
    const encoding = await encodeWhisper(encoder, manifest, samples, fullWindow);
    const rows = rowsOfChunk(decoder, encoding, 1).open();
    const steps: Step[] = [];
    let given = prompt;
    for (const token of expected) {
      const [read] = await rows.read([given], { forbidden, logits: true, attention: true });
      const { next, logits, attention } = read!;
      const centres = attention.map((weights) => {
        return weights.reduce((sum, weight, frame) => sum + weight * frame, 0);
      });
      const centre = centres.reduce((sum, own) => sum + own, 0) / centres.length;
      steps.push({ gap: logits[next.id]! - logits[token]!, centre });
      given = [token];
    }
    followed.push(steps);
  }
  return followed;
}

function checkTokens(t: ExecutionContext, steps: readonly Step[]): void {
  const gaps = steps.map(({ gap }) => gap);
  t.true(gaps.length > 50 && Math.max(...gaps) < rounding, `${Math.max(...gaps)}`);
  const same = gaps.filter((gap) => gap === 0).length / gaps.length;
  t.true(same >= 0.9, `${same} of the tokens are the same`);
}

test('the same model is the same bundle from each format', async (t) => {
  const work = folder(t);
  const { sizes } = whisperCases[0]!;
  const twin = makeTwin(sizes, 2);
  writeCtranslate2(twin, join(work, 'published-1'));
  writeSafetensors(twin, join(work, 'published-2'));
  writeGgml(twin, join(work, 'ggml-twin.bin'));
  const from = ['published-1', 'published-2', 'ggml-twin.bin'];
  const bundles: Manifest[] = [];
  for (const [i, each] of from.entries()) {
    bundles.push(await convertFolder(work, `twin-${i}`, join(work, each)));
  }
  const filesOf = (i: number) => bundles[i]!.files.filter(({ name }) => name !== 'card.md');
  t.is(statSync(join(work, 'twin-0')).mode & 0o055, 0o055, 'the sandbox runs as another user');
  t.true(filesOf(0).length > 5);
  t.deepEqual(filesOf(1), filesOf(0));
  t.deepEqual(filesOf(2), filesOf(0));
  t.deepEqual(
    bundles.map(({ source }) => source.kind === 'folder' && source.format),
    ['CTranslate2', 'safetensors', 'ggml'],
  );
});
