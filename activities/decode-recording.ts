// Decodes an upload: samples go to memory or storage, speech probabilities are computed on the way.
import { sampleRate } from '../models/audio/sample-rate.ts';
import { join } from 'node:path';
import { learnHash } from '../db/file-contents.ts';
import { ObjectMissing } from '../db/objects/object-store.ts';
import { limitsOf } from '../models/contract/served-models.ts';
import type { Clip } from '../models/analysis/analyze-clip.ts';
import { collectOutline, type OutlineCollector } from '../models/analysis/result/outline.ts';
import { ownSpeech } from '../models/analysis/speakers/own-speech.ts';
import { samplesInMemory } from '../models/audio/samples.ts';
import { findSpeechRegions } from '../models/vad/speech-regions.ts';
import type { AnalyzeRecordingInput } from '../workflows/types.ts';
import { withFolder } from './decoder/process-folder.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { fileGone } from './failures.ts';
import { assertDecodable, contentsOf, guardDecode, type GuardedFile } from './guarded-decode.ts';
import type { PcmStore } from './pcm-store.ts';
import type { ActivityRun } from './run-activity.ts';
import { streamVoiceActivity } from '../models/analysis/voice-activity.ts';
import type { AudioLength } from '../models/contract/billing.ts';

export interface DecodedRecording extends Omit<Clip, 'pcm'> {
  /** The samples of a clip; null when they are in object storage. */
  readonly pcm: Int16Array | null;
  /** What `onLength` took longer than everything else. */
  readonly reservationMs: number;
}

export interface DecodeOptions {
  readonly recording: AnalyzeRecordingInput;
  readonly run: ActivityRun;
  /** Creates the store for the samples, a new one for each attempt. */
  readonly openStore: () => PcmStore;
  /** Called once the length is known, in parallel with the rest of the work. */
  readonly onLength?: (audio: AudioLength) => Promise<void>;
}

/** @throws ServiceError for the audio, or what `onLength` throws; then nothing is stored */
export async function decodeRecording(
  dependencies: ActivityDependencies,
  options: DecodeOptions,
): Promise<DecodedRecording> {
  const { recording } = options;
  return withFolder(dependencies.temporaryDirectory, async (folder) => {
    const path = join(folder, 'upload');
    const { file, fetched } = await fetchFile(dependencies, recording, path);
    try {
      return await guardDecode(dependencies.db, file, async (decoderEnded) => {
        await fetched;
        return decodeFile(dependencies, options, { path, decoderEnded });
      });
    } finally {
      // The folder is removed behind a download that goes on no more.
      await fetched.catch(() => {});
    }
  });
}

interface FetchedFile {
  readonly file: GuardedFile;
  /** Rejects with what `assertDecodable` throws; until then the file may be incomplete. */
  readonly fetched: Promise<void>;
}

/**
 * Downloads the upload. A caller's is known by its hash, so that what is asked of the database goes
 * on meanwhile; one of a batch, which may name a file many times, is not even downloaded when it is
 * known to be undecodable.
 */
async function fetchFile(
  dependencies: ActivityDependencies,
  recording: AnalyzeRecordingInput,
  path: string,
): Promise<FetchedFile> {
  const { batch } = recording;
  if (batch) {
    const file = await fetchBatchFile(dependencies, { ...recording, batch }, path);
    return { file, fetched: Promise.resolve() };
  }
  const { db, objects } = dependencies;
  const { key, ...stored } = recording.upload;
  const file = { ref: recording, contents: contentsOf(recording) };
  const downloaded = objects.download(key, path, stored);
  const allowed = assertDecodable(db, file);
  const fetched = Promise.allSettled([allowed, downloaded]).then(async () => {
    await allowed;
    await downloaded;
  });
  // It is awaited once the decode has begun; until then a failure must not count as unhandled.
  fetched.catch(() => {});
  return { file, fetched };
}

type BatchRecording = AnalyzeRecordingInput & Required<Pick<AnalyzeRecordingInput, 'batch'>>;

async function fetchBatchFile(
  { db, objects }: ActivityDependencies,
  recording: BatchRecording,
  path: string,
): Promise<GuardedFile> {
  const { upload, batch } = recording;
  const { key, ...stored } = upload;
  const file = { ref: recording, contents: contentsOf(recording) };
  await assertDecodable(db, file);
  const { sha256 } = await objects.download(key, path, stored).catch((error: unknown) => {
    throw error instanceof ObjectMissing ? fileGone('file_id', error) : error;
  });
  if (upload.sha256) return file;
  // Storage received it directly: only now is it known whether the same bytes came before.
  await learnHash(db, batch, sha256);
  const known = { ref: recording, contents: contentsOf({ batch, upload: { key, sha256 } }) };
  await assertDecodable(db, known);
  return known;
}

async function decodeFile(
  dependencies: ActivityDependencies,
  { recording, run, openStore, onLength }: DecodeOptions,
  { path, decoderEnded }: { readonly path: string; readonly decoderEnded: () => void },
): Promise<DecodedRecording> {
  const store = openStore();
  try {
    const outline = recording.batch ? collectOutline() : null;
    const source = { recording, path, run, store, outline };
    const first = await decodeChannel(dependencies, {
      ...source,
      channel: firstChannel(recording),
    });
    const { audio } = first;
    const activity = [first.activity];
    const channels = recording.options.separateChannels ? first.channels : 1;
    for (let channel = 1; channel < channels; channel += 1) {
      activity.push((await decodeChannel(dependencies, { ...source, channel })).activity);
    }
    decoderEnded();
    const stored = store.end();
    const heard = Promise.all(activity);
    const own = recording.options.separateChannels
      ? Promise.all([heard, stored]).then(([all, whole]) => {
          const read = whole ? samplesInMemory(whole) : store.read;
          return ownSpeech(all, { samples: audio.samples, read });
        })
      : heard;
    const measured = recording.options.separateChannels
      ? own.then((all) => ({ ...audio, speechChannels: countSpoken(all) }))
      : Promise.resolve(audio);
    const done = <T>(work: Promise<T>) =>
      work.then((value) => ({ value, at: performance.now() }) as const);
    const [work, reservation] = await Promise.all([
      done(Promise.all([stored, own, measured])),
      done(measured.then((known) => onLength?.(known))),
    ]);
    const [pcm, probabilities, length] = work.value;
    return {
      request: recording,
      audio: length,
      pcm,
      probabilities,
      outline: outline && outline.end(first.startSeconds),
      reservationMs: Math.max(0, Math.round(reservation.at - work.at)),
    };
  } catch (error) {
    await store.abort();
    throw error;
  }
}

function countSpoken(channels: readonly Float32Array[]): number {
  return channels.filter((probabilities) => findSpeechRegions(probabilities).length > 0).length;
}

function firstChannel({ options }: AnalyzeRecordingInput): number | null {
  return options.separateChannels ? 0 : null;
}

interface ChannelSource {
  readonly recording: AnalyzeRecordingInput;
  readonly path: string;
  readonly run: ActivityRun;
  readonly store: PcmStore;
  readonly outline: OutlineCollector | null;
  /** null decodes the mean of all channels. */
  readonly channel: number | null;
}

interface DecodedChannel {
  readonly audio: AudioLength;
  /** The number of channels of the source. */
  readonly channels: number;
  readonly activity: Promise<Float32Array>;
  /** Where the recording begins in its container's time. */
  readonly startSeconds: number;
}

async function decodeChannel(
  { decoder, pool, priority, decodePace }: ActivityDependencies,
  { recording, path, run, store, outline, channel }: ChannelSource,
): Promise<DecodedChannel> {
  const { container, bytes } = recording.upload;
  const { organizationId } = recording;
  const job = { organizationId, priority, signal: run.signal };
  // A channel in which nobody speaks may hold the other one, faintly: it is not raised.
  const voiceActivity = streamVoiceActivity(pool, job, { asRecorded: channel !== null });
  let decodedSamples = 0;
  const decoded = await decoder.decode({
    organizationId,
    path,
    container,
    bytes,
    ...limitsOf(recording.model),
    channel,
    signal: run.signal,
    onPcm: async (pcm) => {
      decodedSamples += pcm.length;
      run.report({ decodedSeconds: decodedSamples / sampleRate });
      outline?.add(channel ?? 0, pcm);
      await Promise.all([store.write(pcm), voiceActivity.write(pcm)]);
      await decodePace.passed(organizationId, pcm.length / sampleRate);
    },
  });
  const { samples, sourceSamples, sourceRate, sourceChannels: channels, startSeconds } = decoded;
  const activity = voiceActivity.end();
  // It is awaited with the others; until then a failure must not count as unhandled.
  activity.catch(() => {});
  return { audio: { samples, sourceSamples, sourceRate }, channels, activity, startSeconds };
}
