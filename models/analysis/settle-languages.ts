// After all chunks of a recording have been recognised: those that the others put into another
// language are recognised again.
import { sampleRate } from '../audio/sample-rate.ts';
import { languageOf, stepsOf } from '../contract/served-models.ts';
import type { InferencePool } from '../inference/jobs.ts';
import { analyzeChunk } from './analyze-chunk.ts';
import type { AnalyzedChunk, AnalyzedRecording } from './analyzed-chunk.ts';
import { eachLimited } from './each-limited.ts';
import { selectForSecondPass, type SecondPass } from './language-vote.ts';

/** @returns all chunks, in any order; their scores are unchanged */
export async function settleLanguages(
  pool: InferencePool,
  recording: AnalyzedRecording,
): Promise<readonly AnalyzedChunk[]> {
  const { request, plan, chunks } = recording;
  if (!stepsOf(request).words || languageOf(request) !== null) return chunks;
  const again = selectForSecondPass(
    chunks.map((chunk) => {
      const { startSample, endSample } = plan.chunks[chunk.index]!;
      return { ...chunk, seconds: (endSample - startSample) / sampleRate };
    }),
  );
  const settled = new Map(chunks.map((chunk) => [chunk.index, chunk]));
  await eachLimited(again, pool.size, async (hearing) => {
    const { index } = hearing;
    settled.set(index, await recognisedAgain(pool, recording, settled.get(index)!, hearing));
  });
  return [...settled.values()];
}

async function recognisedAgain(
  pool: InferencePool,
  { request, plan, read, job }: AnalyzedRecording,
  known: AnalyzedChunk,
  { index, language, prior }: SecondPass,
): Promise<AnalyzedChunk> {
  const chunk = { ...plan.chunks[index]!, spans: [] };
  const { words, inferenceMs, ...heard } = await analyzeChunk(pool, {
    // Its scores exist already.
    request: { ...request, task: 'transcription' },
    chunk,
    pcm: await read(chunk),
    language,
    prior,
    job,
  });
  return {
    ...known,
    words,
    language: heard.language ?? null,
    inferenceMs: known.inferenceMs + inferenceMs,
  };
}
