// A job of a decoder process: its PCM blocks are passed on in order, then its outcome is known.
import { DecodeError, DecoderDied } from './decode-error.ts';
import { isPlausible, nothingReceived } from './message-check.ts';
import type { DecodedAudio, DecodeJob, DecoderMessage } from './messages.ts';

export type OnPcm = (pcm: Int16Array) => Promise<void> | void;

export interface RunningJob {
  /** @throws DecodeError, DecoderDied, what `onPcm` threw, or the error that it was failed with */
  readonly outcome: Promise<DecodedAudio>;
  receive(message: DecoderMessage): void;
  fail(error: unknown): void;
  /** The consumer has not yet consumed all PCM. */
  readonly isWaiting: () => boolean;
}

export interface JobEvents {
  readonly onPcm: OnPcm;
  /** The consumer has consumed a block. */
  readonly onConsumed: () => void;
  /**
   * The job is over although its process does not know it, or the process sent an implausible
   * message.
   */
  readonly onBroken: () => void;
}

export function createRunningJob(job: DecodeJob, events: JobEvents): RunningJob {
  const { promise: outcome, resolve, reject } = Promise.withResolvers<DecodedAudio>();
  const received = nothingReceived();
  // Blocks are passed on one after the other; the result waits for the last one.
  let delivered = Promise.resolve();
  let undelivered = 0;
  let answered = false;
  let over = false;

  const fail = (error: unknown): void => {
    over = true;
    reject(error);
  };
  const deliver = async (before: Promise<void>, pcm: Int16Array): Promise<void> => {
    await before;
    if (over) return;
    await events.onPcm(pcm);
    undelivered -= 1;
    events.onConsumed();
  };
  return {
    outcome,
    fail,
    isWaiting: () => undelivered > 0,
    receive: (message) => {
      if (over || answered || message.kind === 'ready' || message.id !== job.id) return;
      if (!isPlausible(message, received, job.maxSeconds)) {
        fail(new DecoderDied());
        return events.onBroken();
      }
      answered = message.kind !== 'pcm';
      if (message.kind === 'failed') return fail(new DecodeError(message.code, message.message));
      if (message.kind === 'pcm') {
        undelivered += 1;
        delivered = deliver(delivered, message.pcm);
        delivered.catch((error: unknown) => {
          if (over) return;
          fail(error);
          events.onBroken();
        });
        return;
      }
      const { samples, sourceSamples, sourceRate, sourceChannels, startSeconds } = message;
      const audio = { samples, sourceSamples, sourceRate, sourceChannels, startSeconds };
      void delivered.then(
        () => resolve(audio),
        () => {},
      );
    },
  };
}
