// First activity of a recording: decode, find speech, reserve, plan; a clip is finished right here.
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { registerObject } from '../db/objects.ts';
import { reserve } from '../db/usage.ts';
import type { SampleSpan } from '../models/audio/chunk-plan.ts';
import { limitsOf } from '../models/catalog.ts';
import type { AnalyzedChunk } from '../models/recording/assemble.ts';
import { planRecording, type RecordingPlan } from '../models/recording/plan.ts';
import {
  isDigitalSilence,
  planFixedWindows,
  windowSecondsOf,
} from '../models/recording/fixed-windows.ts';
import { stepsOf } from '../models/recording/steps.ts';
import { findSpeechRegions } from '../models/vad/speech-regions.ts';
import { chargedSeconds } from '../workflows/plan.ts';
import type { AnalyzeRecordingInput, AudioLength, OpenedRecording } from '../workflows/types.ts';
import { analyzeChunk, eachLimited } from './analyze.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { findTurns } from './diarize.ts';
import { openPcmStore } from './pcm-store.ts';
import { deleteWork, recordingKeys, storePlan } from './recording-objects.ts';
import { runActivity, type ActivityRun } from './run-activity.ts';
import { alreadySettled, registerResult, settleRecording } from './settle-recording.ts';
import { streamVoiceActivity } from './voice-activity.ts';

const sampleRate = 16_000;
/** Recordings up to this are one activity: anything more would cost a caller round trips. */
const clipSamples = 30 * sampleRate;
/** All that the models take whose longest recordings are short. */
const boundedClipSamples = 121 * sampleRate;

export function openRecording(
  dependencies: ActivityDependencies,
  recording: AnalyzeRecordingInput,
): Promise<OpenedRecording> {
  return runActivity(async (run) => {
    // Asked every time: a local activity that is run again after a crash still counts attempt 1.
    const settled = await alreadySettled(dependencies, recording);
    if (settled) return { kind: 'completed', ...settled };
    const opened = await decode(dependencies, recording, run);
    const { audio, clip, probabilities } = opened;
    if (clip) return finishClip(dependencies, { recording, run, audio, clip, probabilities });
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

interface Decoded {
  readonly audio: AudioLength;
  /** All samples of a clip; null when they are in object storage. */
  readonly clip: Int16Array | null;
  readonly probabilities: Float32Array;
}

async function decode(
  dependencies: ActivityDependencies,
  recording: AnalyzeRecordingInput,
  run: ActivityRun,
): Promise<Decoded> {
  const { db, objects, pool, temporaryDirectory } = dependencies;
  const { pcm: key, prefix } = recordingKeys(recording);
  const { organizationId } = recording;
  // A lost worker may have stored its samples; the key is write-once.
  if (run.attempt > 1) await objects.delete([key]);
  const store = openPcmStore({
    objects,
    key,
    clipSamples: limitsOf(recording.model).maxSeconds <= 120 ? boundedClipSamples : clipSamples,
    onStore: () => registerObject(db, { key: prefix, organizationId, kind: 'work' }),
  });
  const voiceActivity = streamVoiceActivity(pool, { priority: 1, signal: run.signal });
  const directory = await mkdtemp(join(temporaryDirectory, 'svc-'));
  try {
    const path = join(directory, 'upload');
    await objects.download(recording.upload.key, path);
    const audio = await decodeFile(dependencies, { recording, path, run }, async (pcm) => {
      await Promise.all([store.push(pcm), voiceActivity.push(pcm)]);
    });
    const [clip, probabilities] = await Promise.all([
      store.end(),
      voiceActivity.end(),
      // The length is known now: nothing is recognised that cannot be paid for.
      reserve(db, recording, chargedSeconds(recording.task, audio)),
    ]);
    return { audio, clip, probabilities };
  } catch (error) {
    await store.abort();
    throw error;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function decodeFile(
  { decoder }: ActivityDependencies,
  { recording, path, run }: { recording: AnalyzeRecordingInput; path: string; run: ActivityRun },
  onPcm: (pcm: Int16Array) => Promise<void>,
): Promise<AudioLength> {
  const { container, bytes } = recording.upload;
  let decodedSamples = 0;
  const { samples, sourceSamples, sourceRate } = await decoder.decode({
    path,
    container,
    bytes,
    ...limitsOf(recording.model),
    signal: run.signal,
    onPcm: async (pcm) => {
      decodedSamples += pcm.length;
      run.report({ decodedSeconds: decodedSamples / sampleRate });
      await onPcm(pcm);
    },
  });
  return { samples, sourceSamples, sourceRate };
}

interface Clip {
  readonly recording: AnalyzeRecordingInput;
  readonly run: ActivityRun;
  readonly audio: AudioLength;
  readonly clip: Int16Array;
  readonly probabilities: Float32Array;
}

/** The rest of the way in one go: nothing but the result is stored. */
async function finishClip(
  dependencies: ActivityDependencies,
  opened: Clip,
): Promise<OpenedRecording> {
  const { recording, run, audio, clip } = opened;
  const { pool } = dependencies;
  const plan = await planClip(dependencies, opened);
  const read = readClip(clip);
  const job = { priority: 1, signal: run.signal } as const;
  const chunks: AnalyzedChunk[] = [];
  const analysis = eachLimited(plan.chunks, pool.size, async (chunk) => {
    const pcm = await read(chunk);
    chunks.push(await analyzeChunk(pool, { recording, chunk, pcm, job }));
  });
  await Promise.all([analysis, registerResult(dependencies, recording)]);
  const settling = { recording, audio, plan, chunks, read, job };
  const settled = await settleRecording(dependencies, settling);
  // Everything else of a clip is deleted with its answer.
  if (recording.transcriptKey) await deleteWork(dependencies, recording);
  return { kind: 'completed', ...settled };
}

function readClip(clip: Int16Array): (span: SampleSpan) => Promise<Int16Array> {
  return async ({ startSample, endSample }) => clip.subarray(startSample, endSample);
}

async function planClip(
  { pool }: ActivityDependencies,
  { recording, run, audio, clip, probabilities }: Clip,
): Promise<RecordingPlan> {
  const { model, options } = recording;
  const windowSeconds = windowSecondsOf[model];
  if (windowSeconds !== undefined) {
    const plan = planFixedWindows({ ...audio, windowSeconds });
    // Resonance-2 abstains on digital silence: there is nothing to score.
    return model === 'svc-resonance-2' && isDigitalSilence(clip) ? { ...plan, chunks: [] } : plan;
  }
  const samples = clip.length;
  const read = readClip(clip);
  const job = { priority: 1, signal: run.signal } as const;
  const { numSpeakers } = options;
  const turns = options.diarize ? await findTurns(pool, { samples, read, job, numSpeakers }) : null;
  const regions = findSpeechRegions(probabilities);
  return planRecording({ steps: stepsOf(recording), regions, probabilities, samples, turns });
}
