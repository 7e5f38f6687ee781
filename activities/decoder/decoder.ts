// Decoding of untrusted media in guarded processes, one of them always started ahead.
import type { Container } from '../../models/audio/container.ts';
import { secondsRoundedDown } from '../../models/audio/length.ts';
import { ServiceError } from '../../models/errors.ts';
import { DecodeError } from './decode-error.ts';
import type { DecodedAudio } from './messages.ts';
import { startDecoderProcess, type DecoderProcess, type OnPcm } from './process.ts';

export type { DecodedAudio } from './messages.ts';

export interface DecodeRequest {
  /** A file: M4A without faststart needs seeking. */
  readonly path: string;
  readonly container: Container;
  readonly bytes: number;
  readonly minSeconds: number;
  readonly maxSeconds: number;
  /** Refuses everything but one channel at 16 kHz. */
  readonly mono16kHz?: boolean;
  /** Index of one channel; null or absent for the mean of all. */
  readonly channel?: number | null;
  readonly signal?: AbortSignal;
  /** Takes 16 kHz mono PCM16 in order; decoding waits while its promise is pending. */
  readonly onPcm: OnPcm;
}

export interface Decoder {
  /**
   * Decodes a file, streaming.
   * @throws ServiceError audio_undecodable, audio_too_short, audio_too_long; DecoderDied
   */
  decode(request: DecodeRequest): Promise<DecodedAudio>;
  ready(): Promise<void>;
  /** Kills every process; running jobs reject. */
  close(): Promise<void>;
}

/** A process is replaced after so many files: a slow leak in a codec then costs little. */
const filesPerProcess = 200;

interface Worker {
  readonly process: DecoderProcess;
  files: number;
}

/** @param options.processes files decoded at once; more wait */
export function createDecoder({ processes }: { readonly processes: number }): Decoder {
  const idle: Worker[] = [];
  const all = new Set<DecoderProcess>();
  const waiting: ((worker: Worker) => void)[] = [];
  let nextId = 1;
  let closed = false;

  const start = (): void => {
    const process = startDecoderProcess();
    all.add(process);
    void process.exited.then(() => {
      all.delete(process);
      const index = idle.findIndex((worker) => worker.process === process);
      if (index >= 0) idle.splice(index, 1);
      // A crash costs one process start: no back-off is needed, since uploads drive it.
      if (!closed && all.size < processes) start();
    });
    release({ process, files: 0 });
  };
  const release = (worker: Worker): void => {
    // What ended the job may have killed it, and its exit is yet to come: another one takes its
    // place then.
    if (!worker.process.isAlive()) return;
    if (worker.files >= filesPerProcess) return worker.process.kill();
    const next = waiting.shift();
    if (next) next(worker);
    else idle.push(worker);
  };
  const acquire = async (): Promise<Worker> =>
    idle.shift() ?? new Promise((resolve) => waiting.push(resolve));

  for (let i = 0; i < processes; i += 1) start();

  return {
    ready: async () => {
      await Promise.all([...all].map((process) => process.ready));
    },
    async decode({ minSeconds, signal, onPcm, mono16kHz = false, channel = null, ...file }) {
      const worker = await acquire();
      worker.files += 1;
      try {
        const { path, container, bytes, maxSeconds } = file;
        const job = { id: nextId++, path, container, bytes, maxSeconds, mono16kHz, channel };
        const audio = await worker.process.run(job, { onPcm, ...(signal && { signal }) });
        assertLongEnough(audio, minSeconds);
        return audio;
      } catch (error) {
        if (!(error instanceof DecodeError)) throw error;
        throw new ServiceError(error.code, error.message, { param: 'file' });
      } finally {
        release(worker);
      }
    },
    async close() {
      closed = true;
      for (const process of all) process.kill();
      await Promise.all([...all].map((process) => process.exited));
    },
  };
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
