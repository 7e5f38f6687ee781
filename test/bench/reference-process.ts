// A process of the reference pool; see reference-pool.ts.
import { join } from 'node:path';
import { setPriority } from 'node:os';
import * as ort from 'onnxruntime-node';
import { timeWords } from '../../models/alignment/word-aligner.ts';
import type { EncodedSpeech } from '../../models/asr/moonshine-encoder.ts';
import { peakOf, sumOfExponents } from '../../models/asr/softmax.ts';
import { parseMoonshineTokens } from '../../models/asr/moonshine-tokens.ts';
import { spellWords, type DecodedToken } from '../../models/asr/spelled-words.ts';
import { toFloat } from '../../models/audio/waveform.ts';
import { openModelStore, readModelFile } from '../../models/bundles/store.ts';
import { loadModels } from '../../models/inference/loaded-models.ts';
import { createSession, type Tensor } from '../../models/onnx/session.ts';
import { float32Tensor, int64Tensor } from '../../models/onnx/tensor.ts';
import { withOutputs } from './published-encoder.ts';
import type { ReferenceJob } from './reference-pool.ts';

/** Of inference processes before chunks were decoded in batches. */
const niceness = 5;
const lastLayer = 'last_hidden_state';

setPriority(niceness);
process.once('disconnect', () => process.exit(0));
const store = openModelStore(process.argv[2] ?? '');
/** Whichever bundle the service uses, the yardstick stays the same. */
const bundle = 'moonshine-tiny-en';
const models = await loadModels(store, bundle);
const { directory, manifest } = store.bundle(bundle, 'moonshine');
const { hiddenLayers, layers, heads, headSize, startToken, endToken } = manifest;
const encoderFile = await readModelFile(join(directory, 'encoder_model.ort'));
const encoder = await createSession(withOutputs(encoderFile, hiddenLayers));
const decoder = await createSession(join(directory, manifest.decoder.weights));
const vocabulary = parseMoonshineTokens(await readModelFile(join(directory, manifest.tokenizer)));
const cacheNames = Array.from({ length: layers }, (_, layer) =>
  ['decoder.key', 'decoder.value', 'encoder.key', 'encoder.value'].map((n) => `${layer}.${n}`),
).flat();
const grownNames = cacheNames.filter((name) => name.includes('decoder'));

async function recognise(samples: Float32Array): Promise<void> {
  const padded = new Float32Array(Math.max(samples.length, 16_000));
  const paddingSamples = (padded.length - samples.length) >> 1;
  padded.set(samples, paddingSamples);
  const ones = new BigInt64Array(padded.length).fill(1n);
  const mask = int64Tensor(ones, [1, padded.length]);
  const feeds = { input_values: float32Tensor(padded, [1, padded.length]), attention_mask: mask };
  const outputs = await encoder.run(feeds, [...hiddenLayers, lastLayer]);
  const frames = outputs[lastLayer]!.dims[1]!;
  const durationSeconds = samples.length / 16_000;
  const encoded: EncodedSpeech = { layers: outputs, frames, paddingSamples, durationSeconds };
  const spelled = spellWords(await decode(encoded, mask), vocabulary);
  if (spelled.length === 0) return;
  timeWords(
    spelled,
    await models.features.phoneScorer.score(encoded),
    models.recognizer.wordAligner,
  );
}

async function decode(encoded: EncodedSpeech, mask: Tensor): Promise<DecodedToken[]> {
  const empty = float32Tensor(new Float32Array(0), [1, heads, 0, headSize]);
  const feeds: Record<string, Tensor> = {
    encoder_hidden_states: encoded.layers[lastLayer]!,
    encoder_attention_mask: mask,
  };
  for (const name of cacheNames) feeds[`past_key_values.${name}`] = empty;
  const maxTokens = Math.ceil(encoded.durationSeconds * manifest.maxTokensPerSecond) + 4;
  const tokens: DecodedToken[] = [];
  while (tokens.length < maxTokens) {
    const first = tokens.length === 0;
    const names = first ? cacheNames : grownNames;
    feeds.input_ids = int64Tensor(
      BigInt64Array.of(BigInt(tokens.at(-1)?.id ?? startToken)),
      [1, 1],
    );
    feeds.use_cache_branch = new ort.Tensor('bool', Uint8Array.of(first ? 0 : 1), [1]);
    const outputs = await decoder.run(feeds, ['logits', ...names.map((n) => `present.${n}`)]);
    for (const name of names) feeds[`past_key_values.${name}`] = outputs[`present.${name}`]!;
    const logits = outputs.logits!.data as Float32Array;
    const { id, max } = peakOf(logits);
    if (id === endToken) break;
    tokens.push({ id, logProbability: -Math.log(sumOfExponents(logits, max)) });
  }
  return tokens;
}

async function perform({ kind, pcm }: ReferenceJob): Promise<void> {
  const samples = toFloat(pcm);
  const answer =
    kind === 'words' ? await recognise(samples) : await models.voiceActivity.probabilities(samples);
  process.send!(answer ?? null);
}

process.on('message', (job: ReferenceJob) => void perform(job));
process.send!('ready');
