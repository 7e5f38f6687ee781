// What a container says does not belong to the recording: encoder delay before it, padding behind.
import {
  AV_CODEC_ID_AAC,
  AV_CODEC_ID_MP3,
  AV_CODEC_ID_OPUS,
  AV_PKT_DATA_SKIP_SAMPLES,
} from 'node-av/constants';
import type { Packet, Stream } from 'node-av/lib';
import type { Container } from '../../models/contract/containers.ts';
import { declaredEnd } from './declared-end.ts';

export const opusRate = 48_000;
/** An edit's length is rounded to milliseconds by many writers: nothing is lost to that. */
const editRoundingSeconds = 0.0015;
/** Codecs whose packets are all of one length. */
const evenPackets: readonly number[] = [AV_CODEC_ID_OPUS, AV_CODEC_ID_AAC, AV_CODEC_ID_MP3];
/** Samples to skip and to discard, 32 bits each, and why. */
const sideBytes = 10;

/**
 * FFmpeg hands the trims to its decoder as numbers of samples, but counts them in the container's
 * own clock where that is not the decoder's rate; and it forgets where an MP4 ends.
 */
export interface Trims {
  /** Corrects what a packet says, before it is decoded. */
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
  // FFmpeg takes the first block of a Vorbis stream for sound, and so cuts short ones too early.
  const endKnown = declaredEnd(stream, container) !== Infinity;
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
 * What of a packet lies behind the end of an MP4, in its clock: where an edit ends inside of it,
 * or where the last packet is given less time than the others.
 */
function paddingOf({ duration: end, codecpar, timeBase }: Stream): (packet: Packet) => number {
  const even = evenPackets.includes(codecpar.codecId);
  const rounding = (editRoundingSeconds * timeBase.den) / timeBase.num;
  let usualLength = 0;
  return ({ pts, duration }) => {
    const length = Number(duration);
    const past = Number(pts - end) + length;
    const cut = even && past + usualLength > length ? Math.max(0, usualLength - length) : 0;
    usualLength = length;
    // A whole packet behind the end is no padding: it is decoded and counted.
    return past > rounding && past < length ? cut + past - rounding : cut;
  };
}

/** Of the codec's own head (RFC 7845, 5.1), which is exact; null for other codecs. */
function opusPreSkip({ codecpar }: Stream): number | null {
  if (codecpar.codecId !== AV_CODEC_ID_OPUS) return null;
  const head = codecpar.extradata;
  return head && head.length >= 12 ? head.readUInt16LE(10) : null;
}
