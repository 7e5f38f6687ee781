// Demuxes and decodes every container but plain WAV with FFmpeg's libraries.
import { AV_LOG_QUIET, AVERROR_EAGAIN, AVERROR_EOF } from 'node-av/constants';
import { Frame, Log, Packet, type Stream } from 'node-av/lib';
import type { Container } from '../../models/contract/containers.ts';
import { undecodable } from './decode-error.ts';
import { declaredEnd, DeclaredEnd } from './declared-end.ts';
import { openInput, type FfmpegInput } from './ffmpeg-input.ts';
import type { ByteRange, DecodedAudio, DecodeJob } from './messages.ts';
import { PcmWriter } from './pcm-writer.ts';
import { assertAffordable } from './sample-meter.ts';
import type { PcmSink } from './wav-decoder.ts';

/** When a larger share of the packets fails, the rest is no longer the caller's recording. */
const maxFailedShare = 0.1;

Log.setLevel(AV_LOG_QUIET);

export interface FfmpegOptions {
  readonly sink: PcmSink;
  /** Recordings that follow each other in the file and form one; null when the file is one. */
  readonly ranges: readonly ByteRange[] | null;
  /** The length that the container declares; null when it declares none. */
  readonly declaredSeconds: number | null;
}

export interface FfmpegResult extends DecodedAudio {
  /** The duration that the demuxer read from the container (only `m4a` is trusted), or null. */
  readonly containerSeconds: number | null;
}

/** Decodes the first audio stream, or one channel of it, to 16 kHz PCM16. @throws DecodeError */
export async function decodeWithFfmpeg(
  job: DecodeJob,
  { sink, ranges, declaredSeconds }: FfmpegOptions,
): Promise<FfmpegResult> {
  const pcm = new PcmWriter(sink, job);
  let containerSeconds: number | null = null;
  for (const range of ranges ?? [null]) {
    const input = openInput(job, range);
    try {
      const { sampleRate, channels } = input.stream.codecpar;
      if (job.container === 'm4a') containerSeconds = streamSeconds(input.stream);
      const seconds = declaredSeconds ?? containerSeconds ?? 0;
      assertAffordable(seconds * sampleRate, { sampleRate, channels });
      await decodePackets(input, { container: job.container, pcm });
    } finally {
      input.close();
    }
  }
  return { ...(await pcm.end()), containerSeconds };
}

async function decodePackets(
  { format, stream, codec, trims }: FfmpegInput,
  { container, pcm }: { readonly container: Container; readonly pcm: PcmWriter },
): Promise<void> {
  const packet = new Packet();
  packet.alloc();
  const frame = new Frame();
  frame.alloc();
  const end = new DeclaredEnd(declaredEnd(stream, container), (kept, samples) => {
    return pcm.write(kept, samples);
  });
  const { index } = stream;
  let packets = 0;
  let failed = 0;
  const drain = async (): Promise<void> => {
    while (codec.receiveFrameSync(frame) >= 0) await end.take(frame);
  };
  for (;;) {
    const read = format.readFrameSync(packet);
    if (read === AVERROR_EOF) break;
    if (read < 0) throw undecodable('its data is damaged');
    if (packet.streamIndex === index) {
      packets += 1;
      trims.correct(packet);
      const sent = codec.sendPacketSync(packet);
      if (sent < 0 && sent !== AVERROR_EAGAIN) failed += 1;
      await drain();
    }
    packet.unref();
  }
  codec.sendPacketSync(null);
  await drain();
  await end.end();
  packet.free();
  frame.free();
  if (failed > packets * maxFailedShare) {
    throw undecodable(`${failed} of its ${packets} packets are damaged`);
  }
}

function streamSeconds({ duration, timeBase }: Stream): number | null {
  return duration > 0n ? (Number(duration) * timeBase.num) / timeBase.den : null;
}
