// Stores decoded samples: in memory while the recording may be a clip, in object storage beyond
// that.
import { putJson } from '../db/stored-json.ts';
import type { ObjectStore } from '../db/objects/object-store.ts';
import { bytesOf, joinSamples, type ReadSamples } from '../models/audio/samples.ts';
import type { AudioShare } from '../models/fairness/audio-budget.ts';
import { collectSums, openSamples, sumsKey, sumsFormat } from './pcm-sums.ts';

export interface PcmStore {
  write(pcm: Int16Array): Promise<void>;
  /** The whole recording when it is no longer than a clip; null when it is in the object. */
  end(): Promise<Int16Array | null>;
  /** What is in the object, after the end. */
  readonly read: ReadSamples;
  /** Aborts a write in progress; nothing of it remains. */
  abort(): Promise<void>;
}

export interface PcmStoreOptions {
  readonly objects: ObjectStore;
  readonly key: string;
  readonly clipSamples: number;
  /** Absent: only so many samples are a clip. */
  readonly longer?: LongerClips | undefined;
  /** Called once, before the first byte is written, because the object's row comes first. */
  readonly onStore: () => Promise<void>;
}

/** What a clip may have beyond `clipSamples`, where that is left in memory as it gets longer. */
export interface LongerClips {
  readonly clipSamples: number;
  /** Holds what is beyond; whoever opens the store gives it back once the samples are used. */
  readonly share: AudioShare;
}

export function openPcmStore(options: PcmStoreOptions): PcmStore {
  const { objects, key, clipSamples, longer, onStore } = options;
  const clip: Int16Array[] = [];
  let samples = 0;
  let upload: Upload | null = null;
  const sums = collectSums();
  const aborter = new AbortController();
  let limit = clipSamples;
  const isClip = (): boolean => {
    const isBeyond = samples > limit;
    if (isBeyond && longer?.share.hold(longer.clipSamples - clipSamples)) {
      limit = longer.clipSamples;
    }
    return samples <= limit;
  };
  const store = async ({ blocks, stored }: Upload, pcm: Int16Array): Promise<void> => {
    const bytes = bytesOf(pcm);
    sums.add(bytes);
    try {
      await blocks.write(bytes);
    } catch (error) {
      // A store that stops reading cancels the stream before it reports why, so its own error is
      // awaited.
      await stored;
      throw error;
    }
  };

  return {
    async write(pcm) {
      samples += pcm.length;
      if (!upload) {
        clip.push(pcm);
        if (isClip()) return;
        longer?.share.hold(0);
        await onStore();
        const blocks = createBlockQueue();
        const stored = objects.putStream(key, blocks.read(), { signal: aborter.signal });
        stored.catch((error: unknown) => blocks.fail(error));
        upload = { blocks, stored };
        for (const block of clip.splice(0)) await store(upload, block);
        return;
      }
      await store(upload, pcm);
    },
    async end() {
      if (!upload) {
        longer?.share.hold(Math.max(0, samples - clipSamples));
        return joinSamples(clip);
      }
      upload.blocks.end();
      await upload.stored;
      await putJson(objects, sumsKey(key), sumsFormat, sums.end());
      return null;
    },
    read: openSamples(objects, key),
    async abort() {
      aborter.abort(new Error('decoding failed'));
      upload?.blocks.fail(new Error('decoding failed'));
      await upload?.stored.catch(() => {});
    },
  };
}

interface Upload {
  readonly blocks: BlockQueue;
  /** Settles when the object is complete, or rejects with the reason. */
  readonly stored: Promise<unknown>;
}

interface BlockQueue {
  /**
   * Resolves when the block was consumed, which passes back-pressure from storage to the decoder.
   */
  write(block: Uint8Array): Promise<void>;
  end(): void;
  fail(error: unknown): void;
  read(): AsyncGenerator<Uint8Array>;
}

/** A queue of one block between a writer and a reader. */
function createBlockQueue(): BlockQueue {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  writer.closed.catch(() => {});
  return {
    write: (block) => writer.write(block),
    end: () => void writer.close().catch(() => {}),
    fail: (error) => void writer.abort(error).catch(() => {}),
    async *read() {
      yield* readable;
    },
  };
}
