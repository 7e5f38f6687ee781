// Counts the output of a decoder and enforces its limits: one rate, one layout, a bounded length.
import { sampleRate as targetRate } from '../../models/audio/sample-rate.ts';
import { tooLong, undecodable } from './decode-error.ts';
import type { DecodedLength } from './messages.ts';

export interface SourceShape {
  /** Hz. */
  readonly sampleRate: number;
  readonly channels: number;
  /** Channel layout and sample format, used for comparison only. */
  readonly layout: string;
}

const minRate = 4_000;
const maxRate = 384_000;
const maxChannels = 8;
/**
 * Samples of all channels of a file: an hour of 192 kHz stereo, or of eight channels at 48 kHz. It
 * bounds the work of a small file before anything is paid for.
 */
const maxSourceValues = 3_600 * 384_000;
/** A resampler's own delay; a larger difference means that the declared rate was wrong. */
const toleranceSeconds = 0.05;

/** @throws DecodeError for an unsupported rate or number of channels */
export function assertSupportedShape({ sampleRate, channels }: Omit<SourceShape, 'layout'>): void {
  if (!(channels >= 1 && channels <= maxChannels)) {
    throw undecodable(`it has ${channels} channels; 1 to ${maxChannels} are supported`);
  }
  if (!(sampleRate >= minRate && sampleRate <= maxRate)) {
    throw undecodable(`its sample rate is ${sampleRate} Hz; 4,000 to 384,000 Hz are supported`);
  }
}

/** @throws DecodeError when a file of that many samples per channel exceeds the limit */
export function assertAffordable(
  samples: number,
  { sampleRate, channels }: Omit<SourceShape, 'layout'>,
): void {
  if (samples * channels <= maxSourceValues) return;
  const seconds = Math.floor(maxSourceValues / (sampleRate * channels));
  throw undecodable(
    `it has ${channels} channels at ${sampleRate} Hz, of which ${seconds} seconds can be ` +
      'decoded; fewer channels or a lower rate make it fit',
  );
}

/**
 * Limits and charges follow these counts alone. The length is that of the source's samples at their
 * one rate, and the output at 16 kHz must have the same length.
 */
export class SampleMeter {
  readonly #maxSeconds: number;
  #shape: SourceShape | null = null;
  #sourceSamples = 0;
  #samples = 0;

  constructor({ maxSeconds }: { readonly maxSeconds: number }) {
    this.#maxSeconds = maxSeconds;
  }

  /**
   * Counts samples per channel that the decoder returned, before they are passed on.
   * @param shape the same for all of a recording
   * @throws DecodeError audio_too_long; audio_undecodable when they are more than can be decoded
   */
  countInput(samples: number, shape: SourceShape): void {
    if (!this.#shape) assertSupportedShape(shape);
    this.#shape ??= shape;
    this.#sourceSamples += samples;
    if (this.#sourceSamples > this.#maxSeconds * shape.sampleRate) throw tooLong(this.#maxSeconds);
    assertAffordable(this.#sourceSamples, shape);
  }

  /** @throws DecodeError always; it names what differs from the frames before */
  rejectChange(shape: SourceShape): never {
    throw undecodable(changeOf(this.#shape!, shape));
  }

  /** Counts samples at 16 kHz that are passed on. @throws DecodeError when they exceed the input */
  countOutput(samples: number): void {
    this.#samples += samples;
    const maxSamples = (this.#maxSeconds + toleranceSeconds) * targetRate;
    if (this.#samples > maxSamples) throw tooLong(this.#maxSeconds);
  }

  /** @throws DecodeError without samples, or when output and input differ in length */
  end(): DecodedLength {
    if (!this.#shape) throw undecodable('it holds no audio samples');
    const { sampleRate: sourceRate, channels: sourceChannels } = this.#shape;
    const [samples, sourceSamples] = [this.#samples, this.#sourceSamples];
    const differenceSeconds = Math.abs(samples / targetRate - sourceSamples / sourceRate);
    if (differenceSeconds > toleranceSeconds)
      throw undecodable('its sample rate is not what it says');
    return { samples, sourceSamples, sourceRate, sourceChannels };
  }
}

function changeOf(first: SourceShape, next: SourceShape): string {
  const change = (what: string, from: string | number, to: string | number): string =>
    `its ${what} changes from ${from} to ${to} on the way; one is supported`;
  if (next.sampleRate !== first.sampleRate) {
    return change('sample rate', `${first.sampleRate} Hz`, `${next.sampleRate} Hz`);
  }
  if (next.channels !== first.channels) {
    return change('number of channels', first.channels, next.channels);
  }
  return 'its channel layout or sample format changes on the way; one is supported';
}
