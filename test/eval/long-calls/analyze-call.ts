// A long recording through the steps of the service: voice activity, plan, probes, chunks, and
// their languages.
import { readChunk } from '../../../models/analysis/plan/chunk-samples.ts';
import { analyzeChunk, chunksInFlight } from '../../../models/analysis/analyze-chunk.ts';
import type { AnalyzedChunk } from '../../../models/analysis/analyzed-chunk.ts';
import { eachLimited } from '../../../models/concurrency/each-limited.ts';
import { planWithLanguages } from '../../../models/analysis/plan-with-languages.ts';
import { resolveLanguages } from '../../../models/analysis/languages/resolve-languages.ts';
import { streamVoiceActivity } from '../../../models/analysis/voice-activity.ts';
import { wordLanguages } from '../../../models/analysis/languages/word-languages.ts';
import { joinWords } from '../../../models/asr/segments.ts';
import { sampleRate } from '../../../models/audio/sample-rate.ts';
import { samplesInMemory } from '../../../models/audio/samples.ts';
import type { InferencePool } from '../../../models/inference/jobs.ts';
import { job } from '../chunked-recognition.ts';
import type { FoundWord } from './measure-call.ts';

const options = { diarize: false, numSpeakers: null, includeLogits: false };
const request = { task: 'transcription', model: 'svc-resonance', options } as const;

export interface AnalyzedCall {
  readonly words: readonly FoundWord[];
  /** Process time of inference. */
  readonly spentSeconds: number;
}

export async function analyzeCall(pool: InferencePool, pcm: Int16Array): Promise<AnalyzedCall> {
  const activity = streamVoiceActivity(pool, job);
  await activity.write(pcm);
  const channels = [await activity.end()];
  const read = samplesInMemory(pcm);
  const heard = { channels, samples: pcm.length, read, job, finding: null };
  const plan = await planWithLanguages(pool, request, heard);
  const first: AnalyzedChunk[] = [];
  const { unlikelyEnglish, prior } = plan;
  await eachLimited(plan.chunks, chunksInFlight, async (chunk) => {
    const own = { request, chunk, pcm: await readChunk(read, chunk), unlikelyEnglish, prior, job };
    first.push(await analyzeChunk(pool, own));
  });
  const audio = { samples: pcm.length, sourceSamples: pcm.length, sourceRate: sampleRate };
  const whole = { ...audio, channels: 1 };
  const recording = { request, audio: whole, plan, chunks: first, read, job };
  const chunks = await resolveLanguages(pool, recording);
  const languageOf = wordLanguages(chunks);
  const words = joinWords(chunks.map((chunk) => chunk.words));
  return {
    words: words.map((word) => ({ ...word, language: languageOf(word) })),
    spentSeconds: chunks.reduce((sum, { inferenceMs }) => sum + inferenceMs, 0) / 1_000,
  };
}
