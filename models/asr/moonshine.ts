// Moonshine (Jeffries et al. 2024): what an encoder heard, written down, several clips at a time.
import { join } from 'node:path';
import type { MoonshineManifest } from '../bundles/manifest.ts';
import { readModelFile } from '../bundles/store.ts';
import { createGraphSession } from '../onnx/graph-session.ts';
import { decodeGreedily } from './greedy.ts';
import { lastLayer, type EncodedSpeech } from './moonshine-encoder.ts';
import { openRows, paddedFrames, type DecoderSessions } from './moonshine-rows.ts';
import { isPlausible } from './plausibility.ts';
import { parseVocabulary, spellWords, type SpelledWord, type Vocabulary } from './vocab.ts';

/** Writes down what an encoder heard. */
export interface SpeechDecoder {
  /**
   * Written words of each chunk; [] when what the decoder wrote is not plausible speech. A chunk's
   * words do not depend on those beside it.
   */
  decode(chunks: readonly EncodedSpeech[]): Promise<readonly (readonly SpelledWord[])[]>;
}

interface Moonshine {
  readonly manifest: MoonshineManifest;
  readonly sessions: DecoderSessions;
  readonly vocabulary: Vocabulary;
}

/** More rows are hardly cheaper: the step is bound by their caches then. */
const maxRows = 16;
/** Frames of all rows of a batch, padding included: 57 MB of keys and values. */
const maxFrames = 4_096;

/** Loads decoder and vocabulary from a bundle's folder. */
export async function loadMoonshineDecoder(
  directory: string,
  manifest: MoonshineManifest,
): Promise<SpeechDecoder> {
  const { graphs, weights } = manifest.decoder;
  const [cross, step, tokenizer] = await Promise.all([
    createGraphSession([graphs.cross], directory, [weights]),
    createGraphSession([graphs.step], directory, [weights]),
    readModelFile(join(directory, manifest.tokenizer)),
  ]);
  const model = { manifest, sessions: { cross, step }, vocabulary: parseVocabulary(tokenizer) };
  return {
    async decode(chunks) {
      const written = chunks.map((): readonly SpelledWord[] => []);
      for (const batch of batchesOf(chunks.map(({ frames }) => frames))) {
        const words = await decodeTogether(
          model,
          batch.map((index) => chunks[index]!),
        );
        batch.forEach((index, row) => (written[index] = words[row]!));
      }
      return written;
    },
  };
}

/** Indices of chunks that advance together: of like length, so that little is padded. */
export function batchesOf(frames: readonly number[]): readonly (readonly number[])[] {
  const longestFirst = frames.map((_, i) => i).sort((a, b) => frames[b]! - frames[a]!);
  const batches: number[][] = [];
  for (const index of longestFirst) {
    const batch = batches.at(-1);
    const rows = (batch?.length ?? 0) + 1;
    const fits = batch && rows <= maxRows && rows * paddedFrames(frames[batch[0]!]!) <= maxFrames;
    if (fits) batch.push(index);
    else batches.push([index]);
  }
  return batches;
}

async function decodeTogether(
  { manifest, sessions, vocabulary }: Moonshine,
  chunks: readonly EncodedSpeech[],
): Promise<readonly (readonly SpelledWord[])[]> {
  const states = chunks.map(({ layers }) => layers[lastLayer]!);
  const decoded = await decodeGreedily(await openRows(sessions, manifest, states), {
    startToken: manifest.startToken,
    endToken: manifest.endToken,
    // The constant lets a very short clip hold a word of several pieces.
    maxTokens: chunks.map((chunk) => {
      return Math.ceil(chunk.durationSeconds * manifest.maxTokensPerSecond) + 4;
    }),
  });
  return decoded.map(({ tokens, ended }, row) => {
    const { durationSeconds } = chunks[row]!;
    return isPlausible({ tokens, ended, durationSeconds }) ? spellWords(tokens, vocabulary) : [];
  });
}
