// The speakers of a long recording, before its chunks are planned.
import { findTurns } from '../models/analysis/speakers/find-turns.ts';
import { planSpeech } from '../models/analysis/plan/plan-speech.ts';
import { probeLanguage } from '../models/analysis/languages/probe-language.ts';
import type { DiarizeRecordingInput, PlannedWork } from '../workflows/types.ts';
import { requireActiveBatchAccount } from './batches/batch-recording.ts';
import { itemReport } from './batches/report-item.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { openSamples } from './pcm-sums.ts';
import { recordEarlierAttempt, recordingKeys, storePlan } from './recording-objects.ts';
import { runActivity, type ActivityRun } from './run-activity.ts';
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
    const speech = { channels: [probabilities], samples };
    const finding = findTurns(pool, {
      samples,
      numSpeakers: recording.options.numSpeakers,
      read: async (span) => {
        await requireActiveBatchAccount(dependencies, recording);
        return readSamples(span);
      },
      job,
      onProgress: (share) => {
        run.report({ share });
        void report(share);
      },
    });
    // Meanwhile, so that no process is idle between the two: turns do not change what is spoken.
    const { chunks } = planSpeech(recording, { ...speech, turns: null });
    const probing = { request: recording, read: readSamples, job };
    const [turns, outlook] = await Promise.all([finding, probeLanguage(pool, chunks, probing)]);
    const plan = planSpeech(recording, { ...speech, turns });
    return storePlan(objects, recording, { ...plan, ...outlook });
  };
  return runActivity((run) =>
    withFairSlot(dependencies.spans, organizationId, { run, body: () => diarize(run) }),
  );
}
