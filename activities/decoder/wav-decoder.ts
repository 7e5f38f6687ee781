// Decodes WAV without FFmpeg: linear and companded samples, read in blocks, resampled by our own
// filter.
import { sampleRate as targetRate } from '../../models/audio/sample-rate.ts';
import type { FileHandle } from 'node:fs/promises';
import { createPairMean } from '../../models/audio/channel-pair.ts';
import type { RawSamples } from '../../models/contract/containers.ts';
import { createResampler } from '../../models/audio/resample.ts';
import {
  decodeWavBlock,
  parseWavHeader,
  WavError,
  type WavFormat,
} from '../../models/audio/wav.ts';
import { toPcm16 } from '../../models/audio/waveform.ts';
import { undecodable } from './decode-error.ts';
import type { FileWindow } from './file-window.ts';
import type { DecodedAudio, DecodeJob } from './messages.ts';
import { assertSupportedShape, SampleMeter } from './sample-meter.ts';

const blockBytes = 1 << 18;

/** Receives 16 kHz PCM16; resolves when it can take more. */
export type PcmSink = (pcm: Int16Array) => Promise<void>;

/**
 * The format of a file that can be decoded without FFmpeg; null when it needs a codec library.
 * @throws DecodeError for a header that contradicts the file
 */
export function readWavFormat(file: FileWindow): WavFormat | null {
  try {
    const format = parseWavHeader(file, file.bytes);
    if (format.encoding !== null) assertSupportedShape(format);
    const missing = format.dataOffset + (format.dataBytes ?? 0) - file.bytes;
    if (missing > 0) {
      throw undecodable(`the WAV is truncated: ${missing} of its declared bytes are missing`);
    }
    return format.encoding === null ? null : format;
  } catch (error) {
    throw error instanceof WavError ? undecodable(error.message) : error;
  }
}

/** Raw samples, described as a header would describe them. */
export function rawFormat(samples: RawSamples, bytes: number): WavFormat {
  const blockAlign = samples === 'pcm16' ? 2 : 4;
  if (bytes % blockAlign !== 0) {
    throw undecodable(`${bytes} bytes are no whole number of ${blockAlign}-byte samples`);
  }
  return {
    encoding: samples === 'pcm16' ? 'pcm' : 'float',
    channels: 1,
    sampleRate: targetRate,
    bitsPerSample: 8 * blockAlign,
    blockAlign,
    dataOffset: 0,
    dataBytes: bytes,
  };
}

/** Streams the samples to `sink` as 16 kHz mono PCM16. */
export async function decodeWav(
  file: FileHandle,
  format: WavFormat,
  { job, sink }: { job: DecodeJob; sink: PcmSink },
): Promise<DecodedAudio> {
  const { blockAlign, sampleRate, channels } = format;
  const resampler = createResampler(sampleRate);
  const end = format.dataOffset + (format.dataBytes ?? job.bytes - format.dataOffset);
  const block = Buffer.alloc(Math.max(1, Math.floor(blockBytes / blockAlign)) * blockAlign);
  const decode = blockDecoder(format, job.channel);
  const meter = new SampleMeter(job);
  const shape = { sampleRate, channels, layout: '' };
  meter.countInput(0, shape);
  const emit = async (converted: Float32Array): Promise<void> => {
    meter.countOutput(converted.length);
    if (converted.length > 0) await sink(toPcm16(converted));
  };
  for (let offset = format.dataOffset; end - offset >= blockAlign;) {
    const wanted = Math.min(block.length, Math.floor((end - offset) / blockAlign) * blockAlign);
    const { bytesRead } = await file.read(block, 0, wanted, offset);
    if (bytesRead < wanted) throw undecodable('the WAV is truncated');
    const mono = decode(block.subarray(0, bytesRead));
    meter.countInput(mono.length, shape);
    await emit(resampler.convert(mono));
    offset += bytesRead;
  }
  await emit(resampler.flush());
  return { ...meter.end(), startSeconds: 0 };
}

/** One channel, or what several have in common. */
function blockDecoder(
  format: WavFormat,
  channel: number | null,
): (block: Uint8Array) => Float32Array {
  const pairMean = channel === null && format.channels === 2 && createPairMean(format.sampleRate);
  return (block) => {
    try {
      if (!pairMean) return decodeWavBlock(block, format, channel);
      return pairMean(decodeWavBlock(block, format, 0), decodeWavBlock(block, format, 1));
    } catch (error) {
      throw error instanceof WavError ? undecodable(error.message) : error;
    }
  };
}
