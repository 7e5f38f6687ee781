// An upload decoded: samples to memory or storage, speech probabilities on the way.
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { limitsOf } from '../models/catalog.ts';
import type { AnalyzeRecordingInput, AudioLength } from '../workflows/types.ts';
import type { ActivityDependencies } from './dependencies.ts';
import type { PcmStore } from './pcm-store.ts';
import type { ActivityRun } from './run-activity.ts';
import { streamVoiceActivity } from './voice-activity.ts';

const sampleRate = 16_000;
/** Recordings up to this are one activity: anything more would cost a caller round trips. */
const clipSamples = 30 * sampleRate;
/** All that the models take whose longest recordings are short. */
const boundedClipSamples = 121 * sampleRate;

/** Samples up to which a recording of a model is a clip. */
export function clipSamplesOf(model: AnalyzeRecordingInput['model']): number {
  return limitsOf(model).maxSeconds <= 120 ? boundedClipSamples : clipSamples;
}

export interface DecodedRecording {
  readonly audio: AudioLength;
  /** All samples of a clip; null when they are in object storage. */
  readonly clip: Int16Array | null;
  readonly probabilities: Float32Array;
}

export interface DecodeOptions {
  readonly recording: AnalyzeRecordingInput;
  readonly run: ActivityRun;
  readonly store: PcmStore;
  /** Runs once the length is known, beside the last of the work. */
  readonly onLength?: (audio: AudioLength) => Promise<void>;
}

/** @throws ServiceError of the audio, or what `onLength` throws; nothing of it is stored then */
export async function decodeRecording(
  dependencies: ActivityDependencies,
  { recording, run, store, onLength }: DecodeOptions,
): Promise<DecodedRecording> {
  const { objects, pool, priority, temporaryDirectory } = dependencies;
  const voiceActivity = streamVoiceActivity(pool, { priority, signal: run.signal });
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
      onLength?.(audio),
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
