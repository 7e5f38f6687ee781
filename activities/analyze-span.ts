// Analyses a span of a long recording chunk by chunk; each result is an object of its own.
import type { ObjectStore } from '../db/objects/object-store.ts';
import type { AnalyzeSpanInput } from '../workflows/types.ts';
import { analyzeChunk, chunksInFlight } from '../models/analysis/analyze-chunk.ts';
import { requireActiveBatchAccount } from './batches/batch-recording.ts';
import { itemReport } from './batches/report-item.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { openSamples } from './pcm-sums.ts';
import { readChunk } from '../models/analysis/plan/chunk-samples.ts';
import { chunkFormat, planFormat } from '../models/analysis/result/documents.ts';
import { getJson, putJson } from '../db/stored-json.ts';
import { recordEarlierAttempt, recordingKeys, type RecordingKeys } from './recording-objects.ts';
import { runActivity, type ActivityRun } from './run-activity.ts';
import { settledUnlessOpen } from './settle-recording.ts';
import { withVocabulary } from './vocabulary.ts';
import { withFairSlot } from './activity-slot.ts';
import { eachLimited } from '../models/concurrency/each-limited.ts';

/** Analyses the span; a repeated run skips the chunks that are already stored. */
export function analyzeSpan(
  dependencies: ActivityDependencies,
  { recording, span }: AnalyzeSpanInput,
): Promise<void> {
  const { organizationId } = recording;
  const analyze = async (run: ActivityRun): Promise<void> => {
    const { objects, pool, priority } = dependencies;
    const { signal, attempt } = run;
    const keys = recordingKeys(recording);
    // In a further round (workflows/rounds.ts) attempts count from 1 again.
    const done = await storedChunks(objects, keys);
    if (attempt > 1 || done.size > 0) await recordEarlierAttempt(dependencies, recording);
    const request = await withVocabulary(dependencies, recording);
    const plan = await getJson(objects, keys.plan, planFormat);
    const chunks = plan.chunks.slice(span.firstChunk, span.endChunk);
    const missing = chunks.filter((chunk) => !done.has(keys.chunk(chunk.index)));
    const readSamples = openSamples(objects, keys.pcm);
    const stage = { stage: 'analyzing', part: span.index } as const;
    const report = itemReport(dependencies, recording, stage);
    let finished = chunks.length - missing.length;
    await eachLimited(missing, chunksInFlight, async (chunk) => {
      await requireActiveBatchAccount(dependencies, recording);
      const pcm = await readChunk(readSamples, chunk);
      signal.throwIfAborted();
      const job = { organizationId, priority, signal };
      const { unlikelyEnglish, prior } = plan;
      const own = { request, chunk, pcm, unlikelyEnglish, prior, job };
      const analyzed = await analyzeChunk(pool, own);
      await putJson(objects, keys.chunk(chunk.index), chunkFormat, analyzed);
      finished += 1;
      run.report({ chunk: finished, total: chunks.length });
      await report(finished / plan.chunks.length);
    });
  };
  const analyzeOrEnd = (run: ActivityRun): Promise<void> =>
    analyze(run).catch(async (error: unknown) => {
      await settledUnlessOpen(dependencies, recording, error);
    });
  return runActivity((run) =>
    withFairSlot(dependencies.spans, organizationId, { run, body: () => analyzeOrEnd(run) }),
  );
}

async function storedChunks(objects: ObjectStore, keys: RecordingKeys): Promise<Set<string>> {
  return new Set(await objects.list(`${keys.prefix}chunks/`));
}
