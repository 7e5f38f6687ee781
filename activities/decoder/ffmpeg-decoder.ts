// Demuxes and decodes every container but plain WAV with FFmpeg's libraries.
import {
  AV_CODEC_ID_OPUS,
  AV_CODEC_ID_SPEEX,
  AV_CODEC_ID_VORBIS,
  AV_LOG_QUIET,
  AVERROR_EAGAIN,
  AVERROR_EOF,
} from 'node-av/constants';
import { Frame, Log, Packet, type Stream } from 'node-av/lib';
import type { Container } from '../../models/contract/containers.ts';
import { undecodable } from './decode-error.ts';
import { maxDamagedShare } from './declared-length.ts';
import { declaredEnd, DeclaredEnd } from './declared-end.ts';
import { openInput, type FfmpegInput } from './ffmpeg-input.ts';
import type { ByteRange, DecodedAudio, DecodeJob } from './messages.ts';
import { PcmWriter } from './pcm-writer.ts';
import { secondsOf, Timeline, timelineStart, type TimeBase } from './timeline.ts';
import { assertAffordable } from './sample-meter.ts';
import type { PcmSink } from './wav-decoder.ts';

Log.setLevel(AV_LOG_QUIET);

export interface FfmpegOptions {
  readonly sink: PcmSink;
  /** Recordings that follow each other in the file and form one; null when the file is one. */
  readonly ranges: readonly ByteRange[] | null;
  /** The length that the container declares; null when it declares none. */
  readonly declaredSeconds: number | null;
  /** Edits place the sound in time, which begins at 0. */
  readonly edited: boolean;
}

export interface FfmpegResult extends DecodedAudio {
  /** Where the recording ends in the container's time; null where that is not trusted. */
  readonly endSeconds: number | null;
  /** Where the sound ends according to the samples that an MP4 lists; null in other containers. */
  readonly declaredEndSeconds: number | null;
  /** Where the last frame of a FLAC ends by its number; null in other containers. */
  readonly reachedSeconds: number | null;
}

/** The codecs in Ogg whose first page FFmpeg dates; of others it begins at 0 whatever follows. */
const datedInOgg: readonly number[] = [AV_CODEC_ID_OPUS, AV_CODEC_ID_SPEEX, AV_CODEC_ID_VORBIS];

/** Whether a container's timestamps place its sound. */
function isTimed(container: Container, { codecpar }: Stream): boolean {
  if (container === 'ogg') return datedInOgg.includes(codecpar.codecId);
  return container === 'm4a' || container === 'webm';
}

/** Decodes the first audio stream, or one channel of it, to 16 kHz PCM16. @throws DecodeError */
export async function decodeWithFfmpeg(
  job: DecodeJob,
  { sink, ranges, declaredSeconds, edited }: FfmpegOptions,
): Promise<FfmpegResult> {
  const pcm = new PcmWriter(sink, job);
  let endSeconds: number | null = null;
  let declaredEndSeconds: number | null = null;
  let reachedSeconds: number | null = null;
  let startSeconds: number | null = null;
  for (const range of ranges ?? [null]) {
    const input = openInput(job, range);
    try {
      const { sampleRate, channels } = input.stream.codecpar;
      if (job.container === 'm4a') declaredEndSeconds = streamEnd(input.stream);
      // A longer one is decoded up to the limit, and is too long whatever the rest would cost.
      const seconds = Math.min(declaredSeconds ?? declaredEndSeconds ?? 0, job.maxSeconds);
      assertAffordable(seconds * sampleRate, { sampleRate, channels });
      const timeline = isTimed(job.container, input.stream)
        ? new Timeline(timelineStart(input.format, { edited }))
        : null;
      const reached = await decodePackets(input, { container: job.container, pcm, timeline });
      if (job.container === 'flac') reachedSeconds = reached;
      endSeconds = timeline?.endSeconds ?? null;
      startSeconds ??= timeline?.startSeconds ?? numberedStart(input, job.container);
    } finally {
      input.close();
    }
  }
  const decoded = { ...(await pcm.end()), startSeconds: startSeconds ?? 0 };
  return { ...decoded, endSeconds, declaredEndSeconds, reachedSeconds };
}

interface PacketOptions {
  readonly container: Container;
  readonly pcm: PcmWriter;
  /** null in containers whose time is not trusted. */
  readonly timeline: Timeline | null;
}

/** @returns where the last packet ends in the container's time, in seconds */
async function decodePackets(
  { format, stream, codec, trims }: FfmpegInput,
  { container, pcm, timeline }: PacketOptions,
): Promise<number> {
  const packet = new Packet();
  packet.alloc();
  const frame = new Frame();
  frame.alloc();
  let end: DeclaredEnd | null = null;
  const { index } = stream;
  const timeBases = format.streams.map(({ timeBase }) => timeBase);
  let [packets, failed, reachedSeconds] = [0, 0, 0];
  const drain = async (): Promise<void> => {
    while (codec.receiveFrameSync(frame) >= 0) {
      if (timeline) await fillGap(frame, { timeline, pcm, timeBase: timeBases[index]! });
      end ??= new DeclaredEnd(declaredEnd(stream, container, frame.pts), (kept, samples) => {
        return pcm.write(kept, samples);
      });
      await end.take(frame);
    }
  };
  for (;;) {
    const read = format.readFrameSync(packet);
    if (read === AVERROR_EOF) break;
    if (read < 0) throw undecodable('its data is damaged');
    const isSound = packet.streamIndex === index;
    if (isSound) {
      packets += 1;
      reachedSeconds = Math.max(reachedSeconds, packetEnd(packet, timeBases[index]));
      trims.correct(packet);
      const sent = codec.sendPacketSync(packet);
      if (sent < 0 && sent !== AVERROR_EAGAIN) failed += 1;
      await drain();
    } else if (timeline && container === 'webm') {
      // A WebM declares the length of all its streams, an MP4 that of each.
      timeline.reach(packetEnd(packet, timeBases[packet.streamIndex]));
    }
    packet.unref();
  }
  codec.sendPacketSync(null);
  await drain();
  await (end as DeclaredEnd | null)?.end();
  packet.free();
  frame.free();
  if (failed > packets * maxDamagedShare) {
    throw undecodable(`${failed} of its ${packets} packets are damaged`);
  }
  return reachedSeconds;
}

/** Writes the silence that the container's time has before a frame. */
async function fillGap(
  frame: Frame,
  { timeline, pcm, timeBase }: { timeline: Timeline; pcm: PcmWriter; timeBase: TimeBase },
): Promise<void> {
  // Reading a property of a frame takes long: the rate, which does not change, is read once.
  timeline.sampleRate ||= frame.sampleRate;
  const missing = timeline.missingBefore(secondsOf(frame.pts, timeBase), frame.nbSamples);
  if (missing > 0) await pcm.writeSilence(missing, frame);
}

/** In seconds; 0 where it is unknown, as of a stream that began meanwhile. */
function packetEnd({ pts, duration }: Packet, timeBase: TimeBase | undefined): number {
  return timeBase ? (secondsOf(pts, timeBase) ?? 0) + secondsOf(duration, timeBase)! : 0;
}

/** The frames of a FLAC are numbered, also of one that was cut; in others it is 0. */
function numberedStart({ format }: FfmpegInput, container: Container): number {
  return container === 'flac' ? (timelineStart(format, { edited: false }) ?? 0) : 0;
}

function streamEnd({ startTime, duration, timeBase }: Stream): number | null {
  if (duration <= 0n) return null;
  return (secondsOf(startTime, timeBase) ?? 0) + secondsOf(duration, timeBase)!;
}
