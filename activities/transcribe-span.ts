// A span of a long recording: chunk after chunk to words, each kept as an object of its own.
import type { ObjectStore } from '../db/object-store.ts';
import type { Chunk } from '../models/audio/chunk-plan.ts';
import type { TranscribeSpanInput } from '../workflows/types.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { readPlan, recordingKeys, type RecordingKeys } from './recording-objects.ts';
import { runActivity } from './run-activity.ts';
import { eachLimited, transcribeChunk } from './transcribe.ts';

const bytesPerSample = 2;

/** Chunks of one span under way at once: while one infers, the next one's samples arrive. */
const chunksInFlight = 2;

/** Transcribes the span. A repeated run skips the chunks whose words are stored. */
export function transcribeSpan(
  { objects, pool }: ActivityDependencies,
  { recording, span }: TranscribeSpanInput,
): Promise<void> {
  return runActivity(async (run) => {
    const { signal, attempt } = run;
    const keys = recordingKeys(recording);
    const plan = await readPlan(objects, keys.plan);
    const chunks = plan.slice(span.firstChunk, span.endChunk);
    const done = attempt > 1 ? await storedChunks(objects, keys) : new Set<string>();
    const missing = chunks.filter((chunk) => !done.has(keys.chunk(chunk.index)));
    let finished = chunks.length - missing.length;
    await eachLimited(missing, chunksInFlight, async (chunk) => {
      const pcm = await readSamples(objects, keys.pcm, chunk);
      signal.throwIfAborted();
      const job = { priority: 1, signal } as const;
      const transcript = await transcribeChunk(pool, { chunk, pcm, job });
      await objects.putBytes(keys.chunk(chunk.index), JSON.stringify(transcript));
      finished += 1;
      run.report({ chunk: finished, total: chunks.length });
    });
  });
}

async function storedChunks(objects: ObjectStore, keys: RecordingKeys): Promise<Set<string>> {
  return new Set(await objects.list(`${keys.prefix}chunks/`));
}

async function readSamples(objects: ObjectStore, key: string, chunk: Chunk): Promise<Int16Array> {
  const start = chunk.startSample * bytesPerSample;
  const bytes = await objects.getRange(key, start, chunk.endSample * bytesPerSample);
  return new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / bytesPerSample);
}
