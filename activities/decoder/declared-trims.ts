// Samples that a container excludes from the recording: encoder delay at the start, padding at the
// end.
import {
  AV_CODEC_ID_AAC,
  AV_CODEC_ID_MP3,
  AV_CODEC_ID_OPUS,
  AV_NOPTS_VALUE,
  AV_PKT_DATA_SKIP_SAMPLES,
} from 'node-av/constants';
import type { Packet, Stream } from 'node-av/lib';
import type { Container } from '../../models/contract/containers.ts';
import { declaresEnd } from './declared-end.ts';

export const opusRate = 48_000;
/** Many writers round an edit's length to milliseconds; that rounding must not cost samples. */
const editRoundingSeconds = 0.0015;
/** Codecs whose packets all have the same length. */
const evenPackets: readonly number[] = [AV_CODEC_ID_OPUS, AV_CODEC_ID_AAC, AV_CODEC_ID_MP3];
/** The side data holds samples to skip and to discard, 32 bits each, and their reasons. */
const sideBytes = 10;

/**
 * FFmpeg passes the trims to its decoder as numbers of samples, but counts them in the container's
 * clock where that differs from the decoder's rate, and it ignores the end of an MP4's edit.
 */
export interface Trims {
  /** Corrects the trims of a packet before it is decoded. */
  correct(packet: Packet): void;
}

export function readTrims(
  stream: Stream,
  { container, declaredRate }: { readonly container: Container; readonly declaredRate: number },
): Trims {
  const { sampleRate } = stream.codecpar;
  const { num, den } = stream.timeBase;
  const clock = container === 'm4a' && num === 1 ? den : declaredRate;
  const scale = clock > 0 && container !== 'mp3' ? sampleRate / clock : 1;
  const preSkip = container === 'webm' ? opusPreSkip(stream) : null;
  // FFmpeg takes the first block of a Vorbis stream for audio and would cut short streams too
  // early.
  const endKnown = declaresEnd(stream, container);
  const padding = container === 'm4a' && stream.duration > 0n ? paddingOf(stream) : null;
  return {
    correct: (packet) => {
      const side = packet.getSideData(AV_PKT_DATA_SKIP_SAMPLES);
      const declared = { skip: side?.readUInt32LE(0) ?? 0, discard: side?.readUInt32LE(4) ?? 0 };
      const skip = declared.skip === 0 ? 0 : (preSkip ?? Math.round(declared.skip * scale));
      const discard = endKnown
        ? 0
        : Math.round((padding?.(packet) ?? 0) * scale) || declared.discard;
      if (skip === declared.skip && discard === declared.discard) return;
      const corrected = Buffer.alloc(sideBytes);
      corrected.writeUInt32LE(skip, 0);
      corrected.writeUInt32LE(discard, 4);
      packet.addSideData(AV_PKT_DATA_SKIP_SAMPLES, corrected);
    },
  };
}

/**
 * The part of a packet past the end of an MP4, in its clock: where an edit ends within the packet,
 * or where the last packet has a shorter duration than the others.
 */
function paddingOf(stream: Stream): (packet: Packet) => number {
  const { codecpar, timeBase } = stream;
  const end = (stream.startTime === AV_NOPTS_VALUE ? 0n : stream.startTime) + stream.duration;
  const even = evenPackets.includes(codecpar.codecId);
  const rounding = (editRoundingSeconds * timeBase.den) / timeBase.num;
  let usualLength = 0;
  return ({ pts, duration }) => {
    const length = Number(duration);
    const past = Number(pts - end) + length;
    const cut = even && past + usualLength > length ? Math.max(0, usualLength - length) : 0;
    usualLength = length;
    // A whole packet past the end is not padding; it is decoded and counted.
    return past > rounding && past < length ? cut + past - rounding : cut;
  };
}

/** The pre-skip of the Opus header (RFC 7845, 5.1), which is exact; null for other codecs. */
function opusPreSkip({ codecpar }: Stream): number | null {
  if (codecpar.codecId !== AV_CODEC_ID_OPUS) return null;
  const head = codecpar.extradata;
  return head && head.length >= 12 ? head.readUInt16LE(10) : null;
}
