// Moonshine (Jeffries et al. 2024): decodes the encoder states of several chunks at a time.
import { join } from 'node:path';
import type { MoonshineManifest } from '../bundles/manifest.ts';
import { readModelFile } from '../bundles/store.ts';
import { createGraphSession } from '../onnx/graph-session.ts';
import { decodeGreedily } from './greedy.ts';
import { lastLayer, type EncodedSpeech } from './moonshine-encoder.ts';
import { openRows, paddedFrames, type DecoderSessions } from './moonshine-rows.ts';
import { isPlausible } from './plausibility.ts';
import { parseVocabulary, spellWords, type SpelledWord, type Vocabulary } from './vocab.ts';

/** Decodes encoder states into words. */
export interface SpeechDecoder {
  /**
   * The words of each chunk; [] when the decoded text is not plausible speech. The words of a chunk
   * do not depend on the others.
   */
  decode(chunks: readonly EncodedSpeech[]): Promise<readonly (readonly SpelledWord[])[]>;
}

interface Moonshine {
  readonly manifest: MoonshineManifest;
  readonly sessions: DecoderSessions;
  readonly vocabulary: Vocabulary;
}

/** More rows hardly improve throughput, as the step is then bound by the caches. */
const maxRows = 16;
/** Frames of all rows in a batch, padding included: 57 MB of keys and values. */
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

/** Groups chunks of similar length, so that little padding is needed. */
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
    // The constant allows a very short clip a word of several pieces.
    maxTokens: chunks.map((chunk) => {
      return Math.ceil(chunk.durationSeconds * manifest.maxTokensPerSecond) + 4;
    }),
  });
  return decoded.map(({ tokens, ended }, row) => {
    const { durationSeconds } = chunks[row]!;
    return isPlausible({ tokens, ended, durationSeconds }) ? spellWords(tokens, vocabulary) : [];
  });
}
