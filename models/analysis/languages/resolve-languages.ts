// The second pass over a recording's chunks: those whose language the others contradict are
// recognised again, and those in which the language may change are recognised in pieces.
import { meanConfidence } from '../../asr/second-opinion.ts';
import type { Word } from '../../asr/transcript.ts';
import { languageOf, stepsOf } from '../../contract/served-models.ts';
import type { InferencePool } from '../../inference/jobs.ts';
import { chunkSeconds, readChunk } from '../plan/chunk-samples.ts';
import { chunksInFlight, recogniseAgain } from '../analyze-chunk.ts';
import type { AnalyzedChunk } from '../analyzed-chunk.ts';
import type { AnalyzedRecording } from '../analyzed-recording.ts';
import { eachLimited } from '../../concurrency/each-limited.ts';
import { hearEnglish } from './hear-english.ts';
import { chunksToHear, findLanguageChanges, type LanguageChanges } from './language-change.ts';
import { selectForSecondPass, type SecondPass } from './language-vote.ts';
import {
  detectPieces,
  languagesOfChunks,
  recogniseInPieces,
  type ChunkInPieces,
} from './recognise-pieces.ts';

/** Neighbouring chunks in which the language may change are settled beside other such ones. */
const changesInFlight = 6;
const chunksOfChange = chunksInFlight / changesInFlight;

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
    return { ...chunk, seconds: chunkSeconds(plan.chunks[chunk.index]!) };
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
  const parts: AnalyzedChunk[] = [];
  await eachLimited(changes, changesInFlight, async (change) => {
    parts.push(...(await inPieces(pool, recording, { settled, change })));
  });
  const ofChunk = Map.groupBy(parts, ({ index }) => index);
  return ordered.flatMap((chunk) => ofChunk.get(chunk.index) ?? [chunk]);
}

/** @returns the parts of the change's chunks; those of one chunk follow each other */
async function inPieces(
  pool: InferencePool,
  recording: AnalyzedRecording,
  { settled, change }: { settled: ReadonlyMap<number, AnalyzedChunk>; change: LanguageChanges },
): Promise<readonly AnalyzedChunk[]> {
  const { chunks, ...around } = change;
  const cut: ChunkInPieces[] = [];
  await eachLimited([...chunks.entries()], chunksOfChange, async ([i, own]) => {
    const known = settled.get(own.index)!;
    cut[i] = await detectPieces(pool, recording, { known, change: own });
  });
  const languages = languagesOfChunks(cut, around);
  const parts: AnalyzedChunk[] = [];
  await eachLimited([...cut.entries()], chunksOfChange, async ([i, chunk]) => {
    parts.push(...(await recogniseInPieces(pool, recording, chunk, languages[i]!)));
  });
  return parts;
}

async function inItsLanguage(
  pool: InferencePool,
  recording: AnalyzedRecording,
  known: AnalyzedChunk,
  { index, language, prior, languages }: SecondPass,
): Promise<AnalyzedChunk> {
  const chunk = recording.plan.chunks[index]!;
  const pcm = await readChunk(recording.read, chunk);
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
