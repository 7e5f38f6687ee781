// Moonshine (Jeffries et al. 2024): session I/O of the decoder with its KV cache.
import { join } from 'node:path';
import type { MoonshineManifest } from '../bundles/manifest.ts';
import { readModelFile } from '../bundles/store.ts';
import { createSession, type Session, type Tensor } from '../onnx/session.ts';
import { boolTensor, float32Output, float32Tensor, int64Tensor } from '../onnx/tensor.ts';
import { decodeGreedily, type DecoderStep } from './greedy.ts';
import { lastLayer, type EncodedSpeech } from './moonshine-encoder.ts';
import { isPlausible } from './plausibility.ts';
import { parseVocabulary, spellWords, type SpelledWord, type Vocabulary } from './vocab.ts';

/** Writes down what an encoder heard. */
export interface SpeechDecoder {
  /** Written words of one chunk; [] when what the decoder wrote is not plausible speech. */
  decode(encoded: EncodedSpeech): Promise<readonly SpelledWord[]>;
}

interface Moonshine {
  readonly manifest: MoonshineManifest;
  readonly session: Session;
  readonly vocabulary: Vocabulary;
}

/** Loads decoder and vocabulary from a bundle's folder. */
export async function loadMoonshineDecoder(
  directory: string,
  manifest: MoonshineManifest,
): Promise<SpeechDecoder> {
  const [session, tokenizer] = await Promise.all([
    createSession(join(directory, manifest.decoder)),
    readModelFile(join(directory, manifest.tokenizer)),
  ]);
  const model = { manifest, session, vocabulary: parseVocabulary(tokenizer) };
  return { decode: (encoded) => decode(model, encoded) };
}

async function decode(model: Moonshine, encoded: EncodedSpeech): Promise<readonly SpelledWord[]> {
  const { manifest, vocabulary } = model;
  const { durationSeconds } = encoded;
  const { tokens, ended } = await decodeGreedily(decoderSteps(model, encoded), {
    startToken: manifest.startToken,
    endToken: manifest.endToken,
    // The constant lets a very short clip hold a word of several pieces.
    maxTokens: Math.ceil(durationSeconds * manifest.maxTokensPerSecond) + 4,
  });
  if (!isPlausible({ tokens, ended, durationSeconds })) return [];
  return spellWords(tokens, vocabulary);
}

/**
 * Decoder steps that share one KV cache. The first step computes the keys and values of the
 * encoder's states; later steps pass those same tensors on and only the decoder's own cache grows.
 */
function decoderSteps({ session, manifest }: Moonshine, encoded: EncodedSpeech): DecoderStep {
  const emptyCache = float32Tensor(new Float32Array(0), [1, manifest.heads, 0, manifest.headSize]);
  const cacheNames = Array.from({ length: manifest.layers }, (_, layer) =>
    ['decoder.key', 'decoder.value', 'encoder.key', 'encoder.value'].map((n) => `${layer}.${n}`),
  ).flat();
  const feeds: Record<string, Tensor> = {
    encoder_hidden_states: encoded.layers[lastLayer]!,
    encoder_attention_mask: encoded.mask,
  };
  for (const name of cacheNames) feeds[`past_key_values.${name}`] = emptyCache;
  const grown = cacheNames.filter((name) => name.includes('decoder'));

  return async (token, position) => {
    feeds.input_ids = int64Tensor(BigInt64Array.of(BigInt(token)), [1, 1]);
    feeds.use_cache_branch = boolTensor(position > 0);
    const fetched = ['logits', ...(position === 0 ? cacheNames : grown).map((n) => `present.${n}`)];
    const outputs = await session.run(feeds, fetched);
    for (const name of position === 0 ? cacheNames : grown) {
      feeds[`past_key_values.${name}`] = outputs[`present.${name}`]!;
    }
    return float32Output(outputs, 'logits', [1, 1, manifest.vocabularySize]).data;
  };
}
