// Every container but plain WAV: demux and decode with FFmpeg's libraries, resample with its swr.
import {
  AV_CHANNEL_LAYOUT_MONO,
  AV_LOG_QUIET,
  AV_SAMPLE_FMT_S16,
  AV_SAMPLE_FMT_S16P,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  AVMEDIA_TYPE_AUDIO,
} from 'node-av/constants';
import {
  Codec,
  CodecContext,
  Dictionary,
  FormatContext,
  Frame,
  InputFormat,
  Log,
  Packet,
  SoftwareResampleContext,
  type Stream,
} from 'node-av/lib';
import type { Container } from '../../models/audio/container.ts';
import { targetRate } from '../../models/audio/resample.ts';
import { undecodable } from './decode-error.ts';
import type { DecodedAudio, DecodeJob } from './messages.ts';
import { assertAffordable, SampleMeter, type SourceShape } from './sample-meter.ts';
import type { PcmSink } from './wav-decoder.ts';

/** FFmpeg's demuxer for each container: forced, so that content cannot choose another one. */
const demuxers: Readonly<Partial<Record<Container, string>>> = {
  wav: 'wav',
  flac: 'flac',
  mp3: 'mp3',
  m4a: 'mov',
  ogg: 'ogg',
  webm: 'matroska',
};

const blockSamples = 4 * targetRate;
/** More failing packets than this share, and the rest is not the caller's recording any more. */
const maxFailedShare = 0.1;

Log.setLevel(AV_LOG_QUIET);

interface OpenAudio {
  readonly format: FormatContext;
  readonly stream: Stream;
  readonly codec: CodecContext;
}

export interface FfmpegResult extends DecodedAudio {
  /** Duration that the demuxer read from the container (only `m4a` is trusted), or null. */
  readonly containerSeconds: number | null;
}

/**
 * Decodes the first audio stream, or a channel of it, to 16 kHz PCM16.
 * @param declaredSeconds length by the container; null when it does not say
 * @throws DecodeError
 */
export async function decodeWithFfmpeg(
  job: DecodeJob,
  { sink, declaredSeconds }: { readonly sink: PcmSink; readonly declaredSeconds: number | null },
): Promise<FfmpegResult> {
  const audio = open(job);
  try {
    const { sampleRate, channels } = audio.stream.codecpar;
    assertAffordable((declaredSeconds ?? 0) * sampleRate, { sampleRate, channels });
    const pcm = new PcmWriter(sink, job);
    await decodePackets(audio, pcm);
    const decoded = await pcm.end();
    const containerSeconds = job.container === 'm4a' ? streamSeconds(audio.stream) : null;
    return { ...decoded, containerSeconds };
  } finally {
    audio.codec.freeContext();
    audio.format.closeInputSync();
  }
}

function open({ path, container }: DecodeJob): OpenAudio {
  const format = new FormatContext();
  format.allocContext();
  const demuxer = InputFormat.findInputFormat(demuxers[container] ?? '');
  const options = Dictionary.fromObject({
    protocol_whitelist: 'file',
    format_whitelist: Object.values(demuxers).join(','),
  });
  if (format.openInputSync(path, demuxer, options) < 0) {
    throw undecodable(`it is not a readable ${container.toUpperCase()} file`);
  }
  if (format.findStreamInfoSync() < 0) throw undecodable('its streams cannot be read');
  const index = format.findBestStream(AVMEDIA_TYPE_AUDIO);
  const stream = format.streams[index];
  if (index < 0 || !stream) throw undecodable('it holds no audio stream');
  const decoder = Codec.findDecoder(stream.codecpar.codecId);
  if (!decoder) throw undecodable('its audio codec is not supported');
  const codec = new CodecContext();
  codec.allocContext3(decoder);
  codec.parametersToContext(stream.codecpar);
  codec.pktTimebase = stream.timeBase;
  codec.threadCount = 1;
  if (codec.open2Sync(decoder) < 0) throw undecodable('its audio stream cannot be decoded');
  return { format, stream, codec };
}

async function decodePackets({ format, stream, codec }: OpenAudio, pcm: PcmWriter): Promise<void> {
  const packet = new Packet();
  packet.alloc();
  const frame = new Frame();
  frame.alloc();
  let packets = 0;
  let failed = 0;
  const drain = async (): Promise<void> => {
    while (codec.receiveFrameSync(frame) >= 0) await pcm.write(frame);
  };
  for (;;) {
    const read = format.readFrameSync(packet);
    if (read === AVERROR_EOF) break;
    if (read < 0) throw undecodable('its data is damaged');
    if (packet.streamIndex === stream.index) {
      packets += 1;
      const sent = codec.sendPacketSync(packet);
      if (sent < 0 && sent !== AVERROR_EAGAIN) failed += 1;
      await drain();
    }
    packet.unref();
  }
  codec.sendPacketSync(null);
  await drain();
  packet.free();
  frame.free();
  if (failed > packets * maxFailedShare) {
    throw undecodable(`${failed} of its ${packets} packets are damaged`);
  }
}

function streamSeconds({ duration, timeBase }: Stream): number | null {
  return duration > 0n ? (Number(duration) * timeBase.num) / timeBase.den : null;
}

/** Frames of one rate and layout to blocks of 16 kHz PCM16: their mean, or one channel. */
class PcmWriter {
  readonly #sink: PcmSink;
  readonly #channel: number | null;
  readonly #meter: SampleMeter;
  #resampler: SoftwareResampleContext | null = null;
  #block = Buffer.alloc(blockSamples * 2);
  #filled = 0;
  /** Takes the channels that nobody asked for. */
  #unwanted = Buffer.alloc(0);
  #planes = 1;

  constructor(sink: PcmSink, job: Pick<DecodeJob, 'channel' | 'maxSeconds'>) {
    this.#sink = sink;
    this.#channel = job.channel;
    this.#meter = new SampleMeter(job);
  }

  async write(frame: Frame): Promise<void> {
    this.#meter.take(frame.nbSamples, shapeOf(frame));
    this.#resampler ??= this.#open(frame);
    await this.#convert(frame.extendedData ?? frame.data, frame.nbSamples);
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
    const room = resampler.getOutSamples(count) + 64;
    if (this.#filled + room > blockSamples) await this.#flushBlock();
    if (room > blockSamples) this.#block = Buffer.alloc(room * 2);
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
    this.#meter.give(converted);
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
