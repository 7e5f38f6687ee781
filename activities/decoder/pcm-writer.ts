// Converts decoded frames to blocks of 16 kHz PCM16: the mean of the channels or one channel,
// resampled by FFmpeg's swr.
import { sampleRate as targetRate } from '../../models/audio/sample-rate.ts';
import { AV_CHANNEL_LAYOUT_MONO, AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S16P } from 'node-av/constants';
import { SoftwareResampleContext, type Frame } from 'node-av/lib';
import { undecodable } from './decode-error.ts';
import type { DecodedAudio, DecodeJob } from './messages.ts';
import { SampleMeter, type SourceShape } from './sample-meter.ts';
import type { PcmSink } from './wav-decoder.ts';

const blockSamples = 4 * targetRate;

/**
 * Accepts frames of one rate and layout, from one recording or from several that follow each other.
 */
export class PcmWriter {
  readonly #sink: PcmSink;
  readonly #channel: number | null;
  readonly #meter: SampleMeter;
  #resampler: SoftwareResampleContext | null = null;
  #block = Buffer.alloc(blockSamples * 2);
  #filled = 0;
  /** Receives the channels that are not wanted. */
  #unwanted = Buffer.alloc(0);
  #planes = 1;

  constructor(sink: PcmSink, job: Pick<DecodeJob, 'channel' | 'maxSeconds'>) {
    this.#sink = sink;
    this.#channel = job.channel;
    this.#meter = new SampleMeter(job);
  }

  /** @param samples number of samples to use from the start of the frame */
  async write(frame: Frame, samples: number): Promise<void> {
    this.#meter.countInput(samples, shapeOf(frame));
    this.#resampler ??= this.#open(frame);
    await this.#convert(frame.extendedData ?? frame.data, samples);
  }

  async end(): Promise<DecodedAudio> {
    if (this.#resampler) await this.#convert(null, 0);
    await this.#flushBlock();
    this.#resampler?.free();
    return this.#meter.end();
  }

  #open(frame: Frame): SoftwareResampleContext {
    const { sampleRate, channels } = frame;
    const resampler = new SoftwareResampleContext();
    const format = frame.format as typeof AV_SAMPLE_FMT_S16;
    const one = this.#channel !== null;
    if (one && this.#channel >= channels) throw undecodable('its number of channels changes');
    this.#planes = one ? channels : 1;
    const set = resampler.allocSetOpts2(
      one ? frame.channelLayout : AV_CHANNEL_LAYOUT_MONO,
      one ? AV_SAMPLE_FMT_S16P : AV_SAMPLE_FMT_S16,
      targetRate,
      frame.channelLayout,
      format,
      sampleRate,
    );
    if (set < 0 || resampler.init() < 0) throw undecodable('its sample format is not supported');
    return resampler;
  }

  async #convert(input: Buffer[] | null, count: number): Promise<void> {
    const resampler = this.#resampler!;
    const capacity = resampler.getOutSamples(count) + 64;
    if (this.#filled + capacity > blockSamples) await this.#flushBlock();
    if (capacity > blockSamples) this.#block = Buffer.alloc(capacity * 2);
    const output = this.#block.subarray(this.#filled * 2);
    if (this.#planes > 1 && this.#unwanted.length < output.length) {
      this.#unwanted = Buffer.alloc(this.#block.length);
    }
    const outputs = Array.from({ length: this.#planes }, (_, plane) =>
      plane === (this.#channel ?? 0) ? output : this.#unwanted,
    );
    const converted = resampler.convertSync(outputs, output.length / 2, input, count);
    if (converted < 0) throw undecodable('its samples cannot be converted');
    this.#filled += converted;
    this.#meter.countOutput(converted);
  }

  async #flushBlock(): Promise<void> {
    if (this.#filled === 0) return;
    const { buffer, byteOffset } = this.#block;
    await this.#sink(new Int16Array(buffer.slice(byteOffset, byteOffset + this.#filled * 2)));
    this.#filled = 0;
  }
}

function shapeOf({ sampleRate, channels, channelLayout, format }: Frame): SourceShape {
  return { sampleRate, channels, layout: `${channelLayout.mask} ${format}` };
}
