// The speakers of a long recording, before its chunks are planned.
import { RequestNotRunning } from '../db/settlement.ts';
import { planWithLanguages } from '../models/analysis/plan-with-languages.ts';
import type { SampleSpan } from '../models/audio/samples.ts';
import type { DiarizeRecordingInput, PlannedWork } from '../workflows/types.ts';
import { requireActiveBatchAccount } from './batches/batch-recording.ts';
import { itemReport } from './batches/report-item.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { openSamples } from './pcm-sums.ts';
import { recordEarlierAttempt, recordingKeys, storePlan } from './recording-objects.ts';
import { runActivity, type ActivityRun } from './run-activity.ts';
import { settledUnlessOpen } from './settle-recording.ts';
import { withFairSlot } from './activity-slot.ts';

/** Finds the turns of a long recording and plans its chunks with them. */
export function diarizeRecording(
  dependencies: ActivityDependencies,
  { recording, audio }: DiarizeRecordingInput,
): Promise<PlannedWork> {
  const { organizationId } = recording;
  const diarize = async (run: ActivityRun): Promise<PlannedWork> => {
    const { objects, pool, priority } = dependencies;
    const keys = recordingKeys(recording);
    if (run.attempt > 1) await recordEarlierAttempt(dependencies, recording);
    const bytes = await objects.getBytes(keys.activity);
    const probabilities = new Float32Array(new Uint8Array(bytes).buffer);
    const { samples } = audio;
    const readSamples = openSamples(objects, keys.pcm);
    const report = itemReport(dependencies, recording, { stage: 'diarizing', audio });
    await report(0);
    const job = { organizationId, priority, signal: run.signal };
    const finding = {
      samples,
      numSpeakers: recording.options.numSpeakers,
      read: async (span: SampleSpan) => {
        await requireActiveBatchAccount(dependencies, recording);
        return readSamples(span);
      },
      job,
      onProgress: (share: number) => {
        run.report({ share });
        void report(share);
      },
    };
    const heard = { channels: [probabilities], samples, read: readSamples, job, finding };
    return storePlan(objects, recording, await planWithLanguages(pool, recording, heard));
  };
  const diarizeOrEnd = (run: ActivityRun): Promise<PlannedWork> =>
    diarize(run).catch(async (cause: unknown) => {
      await settledUnlessOpen(dependencies, recording, cause);
      throw new RequestNotRunning(`request ${recording.requestId} is completed`, { cause });
    });
  return runActivity((run) =>
    withFairSlot(dependencies.spans, organizationId, { run, body: () => diarizeOrEnd(run) }),
  );
}
