// Decodes untrusted media in guarded processes that organizations share fairly.
import { tmpdir } from 'node:os';
import type { Container } from '../../models/contract/containers.ts';
import { secondsRoundedDown } from '../../models/audio/length.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import { createFairQueue, type WaitingJob } from '../../models/fairness/fair-queue.ts';
import { createRecentSet } from '../../models/concurrency/recent-set.ts';
import { DecodeError, DecodeRejected } from './decode-error.ts';
import type { DecodedAudio, DecodeJob } from './messages.ts';
import type { DecoderProcess } from './process.ts';
import { createDecoderProcesses } from './processes.ts';
import type { OnPcm } from './running-job.ts';

export type { DecodedAudio } from './messages.ts';

export interface DecodeRequest {
  /** The organization that owns the file: no process ever sees files of two organizations. */
  readonly organizationId: string;
  /** A path rather than a stream, because M4A without faststart needs seeking. */
  readonly path: string;
  readonly container: Container;
  readonly bytes: number;
  readonly minSeconds: number;
  readonly maxSeconds: number;
  /** Rejects everything but one channel at 16 kHz. */
  readonly mono16kHz?: boolean;
  /** Index of the channel to decode; null or absent for the mean of all. */
  readonly channel?: number | null;
  readonly signal?: AbortSignal;
  /** Receives 16 kHz mono PCM16 in order; decoding waits while its promise is pending. */
  readonly onPcm: OnPcm;
}

export interface Decoder {
  /**
   * Decodes a file, streaming.
   * @throws ServiceError audio_undecodable, audio_too_short, audio_too_long; DecoderDied;
   * DecoderUnavailable
   */
  decode(request: DecodeRequest): Promise<DecodedAudio>;
  ready(): Promise<void>;
  /** Kills every process; running jobs reject. */
  close(): Promise<void>;
}

export interface DecoderOptions {
  /** Concurrent files of an organization that is alone. */
  readonly processes: number;
  /**
   * Processes started ahead, so that the first file of an organization does not wait for a start;
   * default: as many as `processes`.
   */
  readonly ahead?: number;
  /** Niceness of the processes, 0 to 19; absent for those that callers wait for. */
  readonly niceness?: number;
  /** The folder of the uploads. */
  readonly directory?: string;
}

/** Additional slots per regular slot, for organizations that hold none. */
const overflowFactor = 5;
/** Organizations whose last file was decoded; the oldest are forgotten. */
const maxRemembered = 10_000;
/** Expected cost of a file in milliseconds; what it takes beyond that is charged. */
const expectedMs = 20;

interface WaitingFile extends WaitingJob {
  readonly start: () => void;
}

/**
 * Organizations get slots in fair order. One that holds none never waits for the files of others:
 * there are five additional slots per regular one for that, and files that compute for long run at
 * the lowest scheduling priority. The last ones are for organizations whose last file was decoded,
 * so that any number of organizations with expensive files leaves slots for them.
 */
export function createDecoder(options: DecoderOptions): Decoder {
  const { processes } = options;
  const kept = { ahead: options.ahead ?? processes, idle: 3 * processes };
  const started = createDecoderProcesses({ directory: tmpdir(), ...options, ...kept });
  const queue = createFairQueue<WaitingFile>();
  const heldSlots = new Map<string, number>();
  const decodable = createRecentSet(maxRemembered);
  let occupied = 0;
  let nextId = 1;

  const dispatch = (): void => {
    const next = queue.take(({ organizationId: id }) => {
      const factor = heldSlots.has(id) ? 1 : overflowFactor + (decodable.has(id) ? 1 : 0);
      return occupied < factor * processes;
    });
    if (!next) return;
    occupied += 1;
    heldSlots.set(next.organizationId, (heldSlots.get(next.organizationId) ?? 0) + 1);
    next.start();
    dispatch();
  };
  const release = (file: WaitingFile, ms: number): void => {
    occupied -= 1;
    const left = heldSlots.get(file.organizationId)! - 1;
    if (left > 0) heldSlots.set(file.organizationId, left);
    else heldSlots.delete(file.organizationId);
    queue.charge(file, ms - expectedMs);
    dispatch();
  };
  const acquire = async (organizationId: string, signal?: AbortSignal): Promise<WaitingFile> => {
    signal?.throwIfAborted();
    const turn = Promise.withResolvers<void>();
    const file = { organizationId, priority: 1, cost: expectedMs, start: turn.resolve };
    const abandon = (): void => {
      queue.remove(file);
      turn.reject(signal?.reason);
    };
    signal?.addEventListener('abort', abandon, { once: true });
    queue.add(file);
    dispatch();
    await turn.promise;
    signal?.removeEventListener('abort', abandon);
    return file;
  };

  return {
    ready: () => started.ready(),
    async decode(request) {
      const { organizationId, minSeconds, signal, onPcm } = request;
      const file = await acquire(organizationId, signal);
      const startedAt = performance.now();
      let process: DecoderProcess | null = null;
      try {
        process = started.take(organizationId);
        const job = jobOf(nextId++, request);
        const audio = await process.run(job, { onPcm, ...(signal && { signal }) });
        assertLongEnough(audio, minSeconds);
        decodable.add(organizationId);
        return audio;
      } catch (error) {
        if (!(error instanceof DecodeError)) throw error;
        if (!process?.hasFullPriority()) decodable.delete(organizationId);
        throw new DecodeRejected(error);
      } finally {
        if (process) started.release(organizationId, process);
        release(file, performance.now() - startedAt);
      }
    },
    close: () => started.close(),
  };
}

function jobOf(id: number, request: DecodeRequest): DecodeJob {
  const { path, container, bytes, maxSeconds, mono16kHz = false, channel = null } = request;
  return { id, path, container, bytes, maxSeconds, mono16kHz, channel };
}

function assertLongEnough({ sourceSamples, sourceRate }: DecodedAudio, minSeconds: number): void {
  if (sourceSamples === 0 || sourceSamples / sourceRate < minSeconds) {
    const seconds = secondsRoundedDown(sourceSamples, sourceRate);
    throw new ServiceError(
      'audio_too_short',
      `The audio has ${seconds} seconds; at least ${minSeconds} are needed.`,
      { param: 'file' },
    );
  }
}
