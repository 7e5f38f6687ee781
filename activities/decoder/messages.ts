// The messages between the decoder and its guarded process.
import type { Container } from '../../models/contract/containers.ts';
import type { ErrorCode } from '../../models/contract/errors.ts';

export interface DecodeJob {
  readonly id: number;
  readonly path: string;
  readonly container: Container;
  readonly bytes: number;
  readonly maxSeconds: number;
  /** Rejects everything but one channel at 16 kHz. */
  readonly mono16kHz: boolean;
  /** Index of the channel to decode; null for the mean of all. */
  readonly channel: number | null;
}

/** Bytes `[start, end)` of a file. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Length at the source's own rate decides limits and billing; `samples` are at 16 kHz. */
export interface DecodedLength {
  readonly samples: number;
  readonly sourceSamples: number;
  readonly sourceRate: number;
  readonly sourceChannels: number;
}

export interface DecodedAudio extends DecodedLength {
  /** Where the first sample is in the container's time, which players show. */
  readonly startSeconds: number;
}

export type DecoderMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'pcm'; readonly id: number; readonly pcm: Int16Array }
  | ({ readonly kind: 'done'; readonly id: number } & DecodedAudio)
  | {
      readonly kind: 'failed';
      readonly id: number;
      readonly code: ErrorCode;
      readonly message: string;
    };

/** The folder in which uploads will be belongs to the process from now on: it may be ready. */
export interface OwnFolder {
  readonly kind: 'folder';
  readonly path: string;
}

/** The parent has consumed a PCM block; this is the back-pressure. */
export interface Acknowledgement {
  readonly kind: 'consumed';
}

export type DecoderRequest =
  OwnFolder | ({ readonly kind: 'decode' } & DecodeJob) | Acknowledgement;
