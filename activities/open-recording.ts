// First activity of a recording: decode, find speech, reserve, plan; a clip is finished right here.
import { registerObject } from '../db/objects.ts';
import { reserve } from '../db/usage.ts';
import { planRecording } from '../models/recording/plan.ts';
import { stepsOf } from '../models/recording/steps.ts';
import { findSpeechRegions } from '../models/vad/speech-regions.ts';
import { chargedSeconds } from '../workflows/plan.ts';
import type { AnalyzeRecordingInput, OpenedRecording } from '../workflows/types.ts';
import { analyzeClip, type Clip } from './analyze-clip.ts';
import { clipSamplesOf, decodeRecording, type DecodedRecording } from './decode-recording.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { openPcmStore } from './pcm-store.ts';
import { deleteWork, recordingKeys, storePlan } from './recording-objects.ts';
import { runActivity, type ActivityRun } from './run-activity.ts';
import { alreadySettled, registerResult, settleRecording } from './settle-recording.ts';

export function openRecording(
  dependencies: ActivityDependencies,
  recording: AnalyzeRecordingInput,
): Promise<OpenedRecording> {
  return runActivity(async (run) => {
    // Asked every time: a local activity that is run again after a crash still counts attempt 1.
    const settled = await alreadySettled(dependencies, recording);
    if (settled) return { kind: 'completed', ...settled };
    const { audio, clip, probabilities } = await decode(dependencies, recording, run);
    if (clip) {
      const { signal } = run;
      return finishClip(dependencies, { recording, audio, clip, probabilities, signal });
    }
    if (recording.options.diarize) {
      const bytes = new Uint8Array(
        probabilities.buffer,
        probabilities.byteOffset,
        probabilities.byteLength,
      );
      await dependencies.objects.putBytes(recordingKeys(recording).activity, bytes);
      return { kind: 'undiarized', audio };
    }
    const plan = planRecording({
      steps: stepsOf(recording),
      regions: findSpeechRegions(probabilities),
      probabilities,
      samples: audio.samples,
      turns: null,
    });
    return { kind: 'planned', audio, ...(await storePlan(dependencies.objects, recording, plan)) };
  });
}

async function decode(
  dependencies: ActivityDependencies,
  recording: AnalyzeRecordingInput,
  run: ActivityRun,
): Promise<DecodedRecording> {
  const { db, objects } = dependencies;
  const { pcm: key, prefix } = recordingKeys(recording);
  const { organizationId } = recording;
  // A lost worker may have stored its samples; the key is write-once.
  if (run.attempt > 1) await objects.delete([key]);
  const store = openPcmStore({
    objects,
    key,
    clipSamples: clipSamplesOf(recording.model),
    onStore: () => registerObject(db, { key: prefix, organizationId, kind: 'work' }),
  });
  return decodeRecording(dependencies, {
    recording,
    run,
    store,
    // The length is known now: nothing is recognised that cannot be paid for.
    onLength: (audio) => reserve(db, recording, chargedSeconds(recording.task, audio)),
  });
}

/** The rest of the way in one go: nothing but the result is stored. */
async function finishClip(
  dependencies: ActivityDependencies,
  clip: Clip,
): Promise<OpenedRecording> {
  const { recording } = clip;
  const [analyzed] = await Promise.all([
    analyzeClip(dependencies, clip),
    registerResult(dependencies, recording),
  ]);
  const settled = await settleRecording(dependencies, analyzed);
  // Everything else of a clip is deleted with its answer.
  if (recording.transcriptKey) await deleteWork(dependencies, recording);
  return { kind: 'completed', ...settled };
}
