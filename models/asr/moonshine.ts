// Moonshine (Jeffries et al. 2024): decodes the encoder states of several chunks at a time.
import { join } from 'node:path';
import type { MoonshineManifest } from '../bundles/manifest.ts';
import { readModelFile } from '../bundles/store.ts';
import { createGraphSession } from '../onnx/graph-session.ts';
import { forceTokens } from './forced-decoding.ts';
import { decodeGreedily } from './greedy.ts';
import { lastLayer, type EncodedSpeech } from './moonshine-encoder.ts';
import { openRows, paddedFrames, type DecoderSessions } from './moonshine-rows.ts';
import { plausibleTokens } from './plausibility.ts';
import {
  joinSpelled,
  spellWords,
  wordMark,
  type DecodedToken,
  type SpelledWord,
  type TokenPieces,
} from './spelled-words.ts';
import { parseMoonshineTokens } from './moonshine-tokens.ts';
import {
  commonWords,
  preferTerms,
  sumOfLogarithms,
  withPieceIndex,
  type DecodedChunk,
  type TermVocabulary,
} from './terms/prefer-terms.ts';
import { writeTerms } from './terms/write-terms.ts';
import { isWrittenIn } from './writing.ts';

/** Decodes encoder states into words. */
export interface SpeechDecoder {
  /**
   * The words of each chunk; [] when the decoded text is not plausible speech. The words of a chunk
   * do not depend on the others.
   * @param terms words and phrases of each chunk that are preferred where they sound alike, and
   * written as they are given
   */
  decode(
    chunks: readonly EncodedSpeech[],
    terms?: readonly (readonly string[])[],
  ): Promise<readonly (readonly SpelledWord[])[]>;
}

interface Moonshine {
  readonly manifest: MoonshineManifest;
  readonly sessions: DecoderSessions;
  readonly vocabulary: TokenPieces & TermVocabulary;
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
  const vocabulary = withPieceIndex(parseMoonshineTokens(tokenizer), wordMark);
  const model = { manifest, sessions: { cross, step }, vocabulary };
  const spelling = { isCommon: commonWords(vocabulary), join: joinSpelled };
  return {
    async decode(chunks, terms = []) {
      const written = chunks.map((): readonly SpelledWord[] => []);
      for (const batch of batchesOf(chunks.map(({ frames }) => frames))) {
        const decoded = await decodeTogether(
          model,
          batch.map((index) => chunks[index]!),
        );
        for (const [row, index] of batch.entries()) {
          const own = { tokens: decoded[row]!, terms: terms[index] ?? [] };
          const spelled = spellWords(await preferOwn(model, chunks[index]!, own), vocabulary);
          const english = spelled.filter(({ word }) => isWrittenIn('en', word));
          written[index] = writeTerms(english, own.terms, spelling);
        }
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

/** @returns the tokens of each chunk; [] without plausible speech */
async function decodeTogether(
  { manifest, sessions }: Moonshine,
  chunks: readonly EncodedSpeech[],
): Promise<readonly (readonly DecodedToken[])[]> {
  const states = chunks.map(({ layers }) => layers[lastLayer]!);
  const rows = await openRows(sessions, manifest, states);
  const decoded = await decodeGreedily(rows, {
    startToken: manifest.startToken,
    endToken: manifest.endToken,
    // The constant allows a very short clip a word of several pieces.
    maxTokens: chunks.map((chunk) => {
      return Math.ceil(chunk.durationSeconds * manifest.maxTokensPerSecond) + 4;
    }),
  }).finally(() => rows.close());
  return decoded.map(({ tokens, ended }, row) => {
    const { durationSeconds } = chunks[row]!;
    return plausibleTokens({ ended, durationSeconds }, tokens);
  });
}

/** The tokens of a chunk with its terms where they are as likely. */
async function preferOwn(
  model: Moonshine,
  chunk: EncodedSpeech,
  decoded: DecodedChunk,
): Promise<readonly DecodedToken[]> {
  const { tokens, terms } = decoded;
  if (terms.length === 0 || tokens.length === 0) return tokens;
  const text = await preferTerms(decoded, model.vocabulary, async (texts) => {
    return (await readTexts(model, chunk, texts)).map(sumOfLogarithms);
  });
  if (text === null) return tokens;
  const [read] = await readTexts(model, chunk, [text]);
  return read!.slice(0, -1);
}

/** The tokens of texts with their end, each with its probability in this chunk. */
async function readTexts(
  { manifest, sessions }: Moonshine,
  { layers, frames }: EncodedSpeech,
  texts: readonly (readonly number[])[],
): Promise<readonly (readonly DecodedToken[])[]> {
  const size = Math.max(1, Math.min(maxRows, Math.floor(maxFrames / paddedFrames(frames))));
  const read: (readonly DecodedToken[])[] = [];
  for (let at = 0; at < texts.length; at += size) {
    const some = texts.slice(at, at + size).map((text) => [...text, manifest.endToken]);
    const states = some.map(() => layers[lastLayer]!);
    const rows = await openRows(sessions, manifest, states);
    const forced = await forceTokens(
      async (last) => {
        const logits = await rows.read(last ?? some.map(() => manifest.startToken));
        return logits.map((own) => ({ logits: own }));
      },
      some,
      () => null,
    ).finally(() => rows.close());
    read.push(...forced.map((own) => own.map(({ token }) => token)));
  }
  return read;
}
