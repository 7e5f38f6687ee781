// The second pass over a recording's chunks: those whose language the others contradict are
// recognised again, and those in which the language may change are recognised in pieces.
import { meanConfidence } from '../asr/second-opinion.ts';
import type { Word } from '../asr/transcript.ts';
import { sampleRate } from '../audio/sample-rate.ts';
import { languageOf, stepsOf } from '../contract/served-models.ts';
import type { InferencePool } from '../inference/jobs.ts';
import { chunksInFlight, recogniseAgain } from './analyze-chunk.ts';
import type { AnalyzedChunk } from './analyzed-chunk.ts';
import type { AnalyzedRecording } from './analyzed-recording.ts';
import { eachLimited } from './each-limited.ts';
import { hearEnglish } from './hear-english.ts';
import { chunksToHear, findLanguageChanges } from './language-change.ts';
import { selectForSecondPass, type SecondPass } from './language-vote.ts';
import {
  detectPieces,
  languagesOfChunks,
  recogniseInPieces,
  type ChunkInPieces,
} from './recognise-pieces.ts';

/**
 * @returns all chunks, in order, their scores unchanged; one in which the language changes has a
 * part for each language, and its scores are in the first
 */
export async function resolveLanguages(
  pool: InferencePool,
  recording: AnalyzedRecording,
): Promise<readonly AnalyzedChunk[]> {
  const { request, plan, chunks } = recording;
  if (!stepsOf(request).words || languageOf(request) !== null) return chunks;
  const withSeconds = (chunk: AnalyzedChunk) => {
    const { startSample, endSample } = plan.chunks[chunk.index]!;
    return { ...chunk, seconds: (endSample - startSample) / sampleRate };
  };
  const settled = new Map(chunks.map((chunk) => [chunk.index, chunk]));
  await eachLimited(selectForSecondPass(chunks.map(withSeconds)), chunksInFlight, async (pass) => {
    const { index } = pass;
    settled.set(index, await inItsLanguage(pool, recording, settled.get(index)!, pass));
  });
  const inOrder = () => [...settled.values()].toSorted((one, other) => one.index - other.index);
  const toHear = chunksToHear(inOrder().map(withSeconds));
  await eachLimited(toHear, chunksInFlight, async (index) => {
    settled.set(index, await hearEnglish(pool, recording, settled.get(index)!));
  });
  const ordered = inOrder();
  const changes = findLanguageChanges(ordered.map(withSeconds));
  const cut = new Map<number, ChunkInPieces>();
  const mayChange = changes.flatMap(({ chunks: own }) => own);
  await eachLimited(mayChange, chunksInFlight, async (change) => {
    const known = settled.get(change.index)!;
    cut.set(change.index, await detectPieces(pool, recording, { known, change }));
  });
  const decided = changes.flatMap(({ chunks: own, ...around }) => {
    const parts = own.map(({ index }) => cut.get(index)!);
    const languages = languagesOfChunks(parts, around);
    return parts.map((part, i) => ({ part, languages: languages[i]! }));
  });
  const inPieces = new Map<number, readonly AnalyzedChunk[]>();
  await eachLimited(decided, chunksInFlight, async ({ part, languages }) => {
    const parts = await recogniseInPieces(pool, recording, part, languages);
    inPieces.set(part.known.index, parts);
  });
  return ordered.flatMap((chunk) => inPieces.get(chunk.index) ?? [chunk]);
}

async function inItsLanguage(
  pool: InferencePool,
  recording: AnalyzedRecording,
  known: AnalyzedChunk,
  { index, language, prior, languages }: SecondPass,
): Promise<AnalyzedChunk> {
  const chunk = recording.plan.chunks[index]!;
  const pcm = await recording.read(chunk);
  const again = await recogniseAgain(pool, recording, { chunk, pcm, language, prior });
  const inferenceMs = known.inferenceMs + again.inferenceMs;
  return isLikelier(again.words, known.words)
    ? { ...known, words: again.words, language: again.language ?? null, languages, inferenceMs }
    : { ...known, inferenceMs };
}

/** A reading with this mean confidence is not given up for none. */
const sureConfidence = 0.5;

/**
 * The others of a recording suggest a language, but no word is written in the wrong one because of
 * them: what the chunk reads as in that language has to make as much sense.
 */
function isLikelier(again: readonly Word[], known: readonly Word[]): boolean {
  if (known.length === 0) return true;
  const confidence = meanConfidence(known);
  return again.length === 0 ? confidence < sureConfidence : confidence <= meanConfidence(again);
}
