// Decodes the clips of a group into memory.
import { requireActiveAccount } from '../../db/account-status.ts';
import { ObjectDamaged } from '../../db/objects/object-reads.ts';
import type { Clip } from '../../models/analysis/analyze-clip.ts';
import { sampleRate } from '../../models/audio/sample-rate.ts';
import { eachLimited } from '../../models/concurrency/each-limited.ts';
import { createRecentSet } from '../../models/concurrency/recent-set.ts';
import { batchClipSeconds } from '../../models/contract/clip.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import type { AnalyzeRecordingInput, BatchRecording } from '../../workflows/types.ts';
import { decodeRecording } from '../decode-recording.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { contentsOf } from '../guarded-decode.ts';
import { openPcmStore, type PcmStore } from '../pcm-store.ts';
import type { ActivityRun } from '../run-activity.ts';
import { batchRecording } from './batch-recording.ts';
import { failingItemOnRejection } from './item-rejections.ts';
import { createSampleRoom, NoRoomInGroup, type SampleRoom } from './sample-room.ts';

/**
 * Clips opened beyond the number of processes, so that samples arrive while others are inferred.
 */
const spareClips = 1;
/**
 * All samples of a group, 32 MB: a worker holds several groups, and how large a file is says little
 * of its length, because FLAC of silence has next to no bytes. Three of the longest clips fit.
 */
const maxGroupSeconds = 1_000;

/** The recording is too long for a clip. */
class TooLongForGroup extends Error {
  override readonly name = 'TooLongForGroup';
}

interface OpenedClip {
  readonly recording: AnalyzeRecordingInput;
  readonly clip: Clip;
}

interface OpenedClips {
  readonly clips: readonly OpenedClip[];
  readonly long: readonly BatchRecording[];
}

interface OpenClipsOptions {
  readonly organizationId: string;
  readonly run: ActivityRun;
}

/** Decodes clips; `long` are those that need workflows of their own. */
export async function openClips(
  dependencies: ActivityDependencies,
  recordings: readonly AnalyzeRecordingInput[],
  { organizationId, run }: OpenClipsOptions,
): Promise<OpenedClips> {
  const clips: OpenedClip[] = [];
  const long: BatchRecording[] = [];
  const room = createSampleRoom(maxGroupSeconds * sampleRate);
  // Once for all of the group: it is asked for again before each is analysed.
  const isActive = requireActiveAccount(dependencies.db, organizationId);
  isActive.catch(() => {});
  const open = async (recording: AnalyzeRecordingInput): Promise<void> => {
    await failingItemOnRejection(dependencies, recording, async () => {
      run.signal.throwIfAborted();
      await isActive;
      const clip = await openClip(dependencies, recording, { run, room });
      if (clip) clips.push({ recording, clip });
      else long.push(batchRecording(recording));
    });
  };
  const limit = dependencies.pool.size + spareClips;
  await eachLimited(recordings, limit, (recording) =>
    dependencies.bulkPace.run(() => open(recording)),
  );
  return { clips, long };
}

/**
 * Files of which this process knows that they are longer than a clip: thousands of items may name
 * the same one, and each would cost half a minute of decoding and a decoder process.
 */
const longFiles = createRecentSet(10_000);

/** Returns null for a recording that needs a workflow of its own. */
async function openClip(
  dependencies: ActivityDependencies,
  recording: AnalyzeRecordingInput,
  { run, room }: { readonly run: ActivityRun; readonly room: SampleRoom },
): Promise<Clip | null> {
  const names = contentsOf(recording).map((content) => `${recording.organizationId} ${content}`);
  if (names.some((name) => longFiles.has(name))) return null;
  const openStore = (): PcmStore => {
    const store = openPcmStore({
      objects: dependencies.objects,
      key: '',
      clipSamples: batchClipSeconds * sampleRate,
      onStore: () => Promise.reject(new TooLongForGroup()),
    });
    return room.within(store);
  };
  try {
    const decoded = await decodeRecording(dependencies, { recording, run, openStore });
    return { ...decoded, pcm: decoded.pcm! };
  } catch (error) {
    // What has to wait, for its organization's decoding budget, for storage to give out this one
    // object, or for memory, waits in its own workflow.
    const isLimited = error instanceof ServiceError && error.code === 'rate_limited';
    const waits = isLimited || error instanceof ObjectDamaged || error instanceof NoRoomInGroup;
    const isLong = error instanceof TooLongForGroup;
    if (isLong) for (const name of names) longFiles.add(name);
    if (isLong || waits) return null;
    throw error;
  }
}
