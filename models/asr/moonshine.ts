// Moonshine (Jeffries et al. 2024): session I/O of the encoder and the decoder with its KV cache.
import { join } from 'node:path';
import type { MoonshineManifest } from '../onnx/manifest.ts';
import { readModelFile } from '../onnx/store.ts';
import { createSession, type Session, type Tensor } from '../onnx/session.ts';
import { boolTensor, float32Output, float32Tensor, int64Tensor } from '../onnx/tensor.ts';
import { decodeGreedily, type DecoderStep } from './greedy.ts';
import { isPlausible } from './plausibility.ts';
import type { Word } from './transcript.ts';
import { parseVocabulary, spellWords, type Vocabulary } from './vocab.ts';
import { alignWords } from './word-times.ts';

const sampleRate = 16_000;

/**
 * Shorter clips stand in the middle of this much silence: 0.2 points of WER on telephone prompts.
 */
const minSamples = sampleRate;

/** A recogniser of chunks. */
export interface Recognizer {
  /**
   * Words of one chunk, with times in seconds from its start; [] when what the decoder wrote is not
   * plausible speech.
   * @param samples 16 kHz mono in -1..1, at most 30 s
   */
  recognize(samples: Float32Array): Promise<readonly Word[]>;
}

interface Moonshine {
  readonly manifest: MoonshineManifest;
  readonly encoder: Session;
  readonly decoder: Session;
  readonly vocabulary: Vocabulary;
}

/** Loads encoder, decoder and vocabulary from a bundle's folder. */
export async function loadMoonshine(
  directory: string,
  manifest: MoonshineManifest,
): Promise<Recognizer> {
  const [encoder, decoder, tokenizer] = await Promise.all([
    createSession(join(directory, manifest.encoder)),
    createSession(join(directory, manifest.decoder)),
    readModelFile(join(directory, manifest.tokenizer)),
  ]);
  const model = { manifest, encoder, decoder, vocabulary: parseVocabulary(tokenizer) };
  return { recognize: (samples) => recognize(model, samples) };
}

async function recognize(model: Moonshine, samples: Float32Array): Promise<readonly Word[]> {
  const { manifest, vocabulary } = model;
  const durationSeconds = samples.length / sampleRate;
  const encoded = await encode(model, padded(samples));
  const { tokens, ended } = await decodeGreedily(decoderSteps(model, encoded), {
    startToken: manifest.startToken,
    endToken: manifest.endToken,
    // The constant lets a very short clip hold a word of several pieces.
    maxTokens: Math.ceil(durationSeconds * manifest.maxTokensPerSecond) + 4,
  });
  if (!isPlausible({ tokens, ended, durationSeconds })) return [];
  return alignWords(spellWords(tokens, vocabulary), samples);
}

function padded(samples: Float32Array): Float32Array {
  if (samples.length >= minSamples) return samples;
  const longer = new Float32Array(minSamples);
  longer.set(samples, (minSamples - samples.length) >> 1);
  return longer;
}

interface Encoded {
  /** [1, frames, hidden] */
  readonly states: Tensor;
  /** [1, samples], all ones: the decoder strides the audio's own mask down to frames. */
  readonly mask: Tensor;
}

async function encode({ encoder, manifest }: Moonshine, samples: Float32Array): Promise<Encoded> {
  const ones = new BigInt64Array(samples.length).fill(1n);
  const mask = int64Tensor(ones, [1, samples.length]);
  const outputs = await encoder.run({
    input_values: float32Tensor(samples, [1, samples.length]),
    attention_mask: mask,
  });
  const { data, dims } = float32Output(outputs, 'last_hidden_state', [1, -1, manifest.hiddenSize]);
  return { states: float32Tensor(data, dims), mask };
}

/**
 * Decoder steps that share one KV cache. The first step computes the keys and values of the
 * encoder's
 * states; later steps pass those same tensors on and only the decoder's own cache grows.
 */
function decoderSteps({ decoder, manifest }: Moonshine, encoded: Encoded): DecoderStep {
  const emptyCache = float32Tensor(new Float32Array(0), [1, manifest.heads, 0, manifest.headSize]);
  const cacheNames = Array.from({ length: manifest.layers }, (_, layer) =>
    ['decoder.key', 'decoder.value', 'encoder.key', 'encoder.value'].map((n) => `${layer}.${n}`),
  ).flat();
  const feeds: Record<string, Tensor> = {
    encoder_hidden_states: encoded.states,
    encoder_attention_mask: encoded.mask,
  };
  for (const name of cacheNames) feeds[`past_key_values.${name}`] = emptyCache;
  const grown = cacheNames.filter((name) => name.includes('decoder'));

  return async (token, position) => {
    feeds.input_ids = int64Tensor(BigInt64Array.of(BigInt(token)), [1, 1]);
    feeds.use_cache_branch = boolTensor(position > 0);
    const fetched = ['logits', ...(position === 0 ? cacheNames : grown).map((n) => `present.${n}`)];
    const outputs = await decoder.run(feeds, fetched);
    for (const name of position === 0 ? cacheNames : grown) {
      feeds[`past_key_values.${name}`] = outputs[`present.${name}`]!;
    }
    return float32Output(outputs, 'logits', [1, 1, manifest.vocabularySize]).data;
  };
}
