// The frame that the resampler converts into, kept from one conversion to the next.
import type { AVSampleFormat } from 'node-av/constants';
import { Frame, type ChannelLayout, type SoftwareResampleContext } from 'node-av/lib';
import { sampleRate } from '../../models/audio/sample-rate.ts';

export interface OutputShape {
  readonly layout: ChannelLayout;
  readonly format: AVSampleFormat;
}

export class OutputFrame {
  readonly #shape: OutputShape;
  #frame: Frame | null = null;
  #capacity = 0;
  #planes: readonly Buffer[] = [];

  constructor(shape: OutputShape) {
    this.#shape = shape;
  }

  /** Samples in host order, one plane for each channel; valid until the next conversion. */
  get planes(): readonly Buffer[] {
    return this.#planes;
  }

  /**
   * Converts the samples of a frame, or those that the resampler still holds.
   * @param capacity enough samples per channel for all that can come out
   * @returns number of samples per channel, or a negative AVERROR
   */
  convert(resampler: SoftwareResampleContext, input: Frame | null, capacity: number): number {
    if (this.#frame === null || capacity > this.#capacity) this.#allocate(capacity);
    const frame = this.#frame!;
    frame.nbSamples = this.#capacity;
    const status = resampler.convertFrame(frame, input);
    return status < 0 ? status : frame.nbSamples;
  }

  free(): void {
    this.#frame?.free();
    this.#frame = null;
  }

  #allocate(capacity: number): void {
    this.free();
    const frame = new Frame();
    frame.alloc();
    frame.format = this.#shape.format;
    frame.channelLayout = this.#shape.layout;
    frame.sampleRate = sampleRate;
    frame.nbSamples = capacity;
    if (frame.getBuffer() < 0) throw new Error('no memory for a frame');
    this.#frame = frame;
    this.#capacity = capacity;
    this.#planes = (frame.extendedData ?? frame.data)!;
  }
}
