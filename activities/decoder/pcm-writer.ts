// Converts decoded frames to blocks of 16 kHz PCM16: the mean of the channels or one channel,
// resampled by FFmpeg's swr. The layout decides nothing: swr's own mix would leave out a channel
// that is labelled as low frequencies, and weigh the others.
import { sampleRate as targetRate } from '../../models/audio/sample-rate.ts';
import {
  AV_CHANNEL_LAYOUT_MONO,
  AV_CHANNEL_ORDER_UNSPEC,
  AV_SAMPLE_FMT_FLTP,
  AV_SAMPLE_FMT_S16,
  AV_SAMPLE_FMT_S16P,
  AVERROR_INPUT_CHANGED,
} from 'node-av/constants';
import {
  avChannelLayoutDefault,
  SoftwareResampleContext,
  type ChannelLayout,
  type Frame,
} from 'node-av/lib';
import { createPairMean } from '../../models/audio/channel-pair.ts';
import { bytesOf } from '../../models/audio/samples.ts';
import { toPcm16 } from '../../models/audio/waveform.ts';
import { undecodable } from './decode-error.ts';
import type { DecodedLength, DecodeJob } from './messages.ts';
import { silentFrame } from './silent-frame.ts';
import { OutputFrame, type OutputShape } from './output-frame.ts';
import { SampleMeter, type SourceShape } from './sample-meter.ts';
import type { PcmSink } from './wav-decoder.ts';

/** Of a frame of silence; a longer one is written in several. */
const maxSilenceSamples = 1 << 14;
const blockSamples = 4 * targetRate;

/** What the first frame decides for all. */
interface Conversion {
  readonly resampler: SoftwareResampleContext;
  readonly output: OutputFrame;
  /** PCM16 of so many converted samples. */
  readonly read: (planes: readonly Buffer[], count: number) => Uint8Array;
  readonly shape: SourceShape;
  /** What takes the place of a layout that the file does not specify; null where it does. */
  readonly assumedLayout: ChannelLayout | null;
}

/**
 * Accepts frames of one rate and layout, from one recording or from several that follow each other.
 */
export class PcmWriter {
  readonly #sink: PcmSink;
  readonly #channel: number | null;
  readonly #meter: SampleMeter;
  #conversion: Conversion | null = null;
  readonly #block = Buffer.alloc(blockSamples * 2);
  #filled = 0;

  constructor(sink: PcmSink, job: Pick<DecodeJob, 'channel' | 'maxSeconds'>) {
    this.#sink = sink;
    this.#channel = job.channel;
    this.#meter = new SampleMeter(job);
  }

  /** @param samples number of samples to use from the start of the frame */
  async write(frame: Frame, samples: number): Promise<void> {
    const shape = this.#conversion?.shape ?? shapeOf(frame);
    this.#meter.countInput(samples, shape);
    this.#conversion ??= this.#open(frame, shape);
    const { assumedLayout } = this.#conversion;
    if (assumedLayout) {
      const next = shapeOf(frame);
      if (!isSameShape(shape, next)) this.#meter.rejectChange(next);
      frame.channelLayout = assumedLayout;
    }
    frame.nbSamples = samples;
    await this.#convert(this.#conversion, frame, samples);
  }

  /** @param like a frame of the recording, before it is written */
  async writeSilence(samples: number, like: Frame): Promise<void> {
    const silence = silentFrame(Math.min(samples, maxSilenceSamples), like);
    for (let left = samples; left > 0; left -= maxSilenceSamples) {
      silence.channelLayout = like.channelLayout;
      await this.write(silence, Math.min(left, maxSilenceSamples));
    }
    silence.free();
  }

  async end(): Promise<DecodedLength> {
    if (this.#conversion) await this.#convert(this.#conversion, null, 0);
    await this.#flushBlock();
    this.#conversion?.resampler.free();
    this.#conversion?.output.free();
    return this.#meter.end();
  }

  #open(frame: Frame, source: SourceShape): Conversion {
    const { sampleRate, channels } = source;
    const channel = this.#channel;
    if (channel !== null && channel >= channels) {
      throw undecodable('its number of channels changes');
    }
    const isSpecified = frame.channelLayout.order !== AV_CHANNEL_ORDER_UNSPEC;
    const assumedLayout = isSpecified ? null : avChannelLayoutDefault(channels);
    const layout = assumedLayout ?? frame.channelLayout;
    const { shape, read, mix } = mixOf({ channel, channels, layout });
    const resampler = new SoftwareResampleContext();
    const set = resampler.allocSetOpts2(
      shape.layout,
      shape.format,
      targetRate,
      layout,
      frame.format as typeof AV_SAMPLE_FMT_S16,
      sampleRate,
    );
    const isSet = set >= 0 && (mix === null || resampler.setMatrix(mix, mix.length) >= 0);
    if (!isSet || resampler.init() < 0) throw undecodable('its sample format is not supported');
    return { resampler, output: new OutputFrame(shape), read, shape: source, assumedLayout };
  }

  async #convert(
    { resampler, output, read }: Conversion,
    frame: Frame | null,
    count: number,
  ): Promise<void> {
    // The resampler compares every frame with the first one: reading their properties here would
    // take a fifth of the decoder's time.
    const capacity = resampler.getOutSamples(count) + 64;
    const converted = output.convert(resampler, frame, capacity);
    if (converted === AVERROR_INPUT_CHANGED && frame) this.#meter.rejectChange(shapeOf(frame));
    if (converted < 0) throw undecodable('its samples cannot be converted');
    this.#meter.countOutput(converted);
    await this.#append(read(output.planes, converted), converted);
  }

  async #append(samples: Uint8Array, count: number): Promise<void> {
    for (let taken = 0; taken < count;) {
      if (this.#filled === blockSamples) await this.#flushBlock();
      const taking = Math.min(count - taken, blockSamples - this.#filled);
      this.#block.set(samples.subarray(taken * 2, (taken + taking) * 2), this.#filled * 2);
      this.#filled += taking;
      taken += taking;
    }
  }

  async #flushBlock(): Promise<void> {
    if (this.#filled === 0) return;
    const { buffer, byteOffset } = this.#block;
    await this.#sink(new Int16Array(buffer.slice(byteOffset, byteOffset + this.#filled * 2)));
    this.#filled = 0;
  }
}

interface Mix extends Pick<Conversion, 'read'> {
  readonly shape: OutputShape;
  /** Weights of the channels; null where the resampler mixes none. */
  readonly mix: number[] | null;
}

function mixOf({ channel, channels, layout }: MixedSource): Mix {
  if (channel !== null) {
    const shape = { layout, format: AV_SAMPLE_FMT_S16P };
    return { shape, read: (planes) => planes[channel]!, mix: null };
  }
  if (channels === 2) {
    const shape = { layout, format: AV_SAMPLE_FMT_FLTP };
    const pairMean = createPairMean(targetRate);
    const read = ([left, right]: readonly Buffer[], count: number): Uint8Array =>
      bytesOf(toPcm16(pairMean(floatsOf(left!, count), floatsOf(right!, count))));
    return { shape, read, mix: null };
  }
  const shape = { layout: AV_CHANNEL_LAYOUT_MONO, format: AV_SAMPLE_FMT_S16 };
  const mix = channels === 1 ? null : Array.from({ length: channels }, () => 1 / channels);
  return { shape, read: ([plane]) => plane!, mix };
}

interface MixedSource {
  /** null mixes them all. */
  readonly channel: number | null;
  readonly channels: number;
  readonly layout: ChannelLayout;
}

function floatsOf({ buffer, byteOffset }: Buffer, count: number): Float32Array {
  return new Float32Array(buffer, byteOffset, count);
}

function shapeOf({ sampleRate, channels, channelLayout, format }: Frame): SourceShape {
  return { sampleRate, channels, layout: `${channelLayout.mask} ${format}` };
}

function isSameShape(one: SourceShape, other: SourceShape): boolean {
  return (
    one.sampleRate === other.sampleRate &&
    one.channels === other.channels &&
    one.layout === other.layout
  );
}
