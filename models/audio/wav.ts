// RIFF/WAVE: the header, and samples of every linear and companded encoding as mono floats.
import type { ByteSource } from './byte-source.ts';

export type WavEncoding = 'pcm' | 'float' | 'alaw' | 'mulaw';

/** The fields of the header. */
export interface WavFormat {
  /** null for compressed encodings (ADPCM, GSM, MP3 in WAV), which need a codec library. */
  readonly encoding: WavEncoding | null;
  readonly channels: number;
  readonly sampleRate: number;
  readonly bitsPerSample: number;
  readonly blockAlign: number;
  /** Offset of the first sample. */
  readonly dataOffset: number;
  /** Bytes of sample data, or null when a streaming writer left the size open. */
  readonly dataBytes: number | null;
}

/** The file is not a readable WAV; the message tells the caller why. */
export class WavError extends Error {
  override readonly name = 'WavError';
}

/** More chunks before the samples are no recording, and reading their heads takes long. */
const maxChunks = 100_000;
/** Of a writer that did not know the length: no file that is taken has as much (docs/api.md). */
const leastOpenSize = 0x7f_ff_00_00;
const encodings: Readonly<Record<number, WavEncoding>> = {
  1: 'pcm',
  3: 'float',
  6: 'alaw',
  7: 'mulaw',
};

/**
 * Reads the chunks up to `data`, of which most are skipped.
 * @param fileBytes length of the file
 * @throws WavError
 */
export function parseWavHeader(file: ByteSource, fileBytes: number): WavFormat {
  let format: Omit<WavFormat, 'dataOffset' | 'dataBytes'> | null = null;
  let longDataBytes: number | null = null;
  let offset = 12;
  for (let chunks = 0; chunks < maxChunks && offset + 8 <= fileBytes; chunks += 1) {
    const head = file.subarray(offset, offset + 8);
    const id = String.fromCharCode(...head.subarray(0, 4));
    const size = viewOf(head).getUint32(4, true);
    const body = offset + 8;
    if (id === 'data') {
      if (!format) throw new WavError('the WAV has no fmt chunk before its data');
      const known = size === 0xff_ff_ff_ff ? longDataBytes : null;
      const isOpen = !known && (size === 0 || size >= leastOpenSize) && body < fileBytes;
      return { ...format, dataOffset: body, dataBytes: isOpen ? null : (known ?? size) };
    }
    if (id === 'fmt ' || id === 'ds64') {
      const view = viewOf(file.subarray(body, body + Math.min(size, 40)));
      if (view.byteLength < 16) throw new WavError(`the WAV ${id.trim()} chunk is too short`);
      if (id === 'ds64') longDataBytes = Number(view.getBigUint64(8, true));
      else format = parseFormat(view);
    }
    offset = body + size + (size & 1);
  }
  throw new WavError('the WAV has no data chunk');
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

function parseFormat(view: DataView): Omit<WavFormat, 'dataOffset' | 'dataBytes'> {
  let tag = view.getUint16(0, true);
  // WAVE_FORMAT_EXTENSIBLE: the real tag starts the sub-format GUID.
  if (tag === 0xfffe && view.byteLength >= 40) tag = view.getUint16(24, true);
  const channels = view.getUint16(2, true);
  const sampleRate = view.getUint32(4, true);
  const blockAlign = view.getUint16(12, true);
  const encoding = encodings[tag] ?? null;
  const bits = view.getUint16(14, true);
  // Samples of 12 or 20 bits are the upper ones of two or three bytes.
  const bitsPerSample = encoding === 'pcm' && bits > 8 ? 8 * Math.ceil(bits / 8) : bits;
  const format = { encoding, channels, sampleRate, bitsPerSample, blockAlign };
  if (encoding !== null) assertReadable(encoding, format);
  return format;
}

const sampleBits: Readonly<Record<WavEncoding, readonly number[]>> = {
  pcm: [8, 16, 24, 32],
  float: [32, 64],
  alaw: [8],
  mulaw: [8],
};

function assertReadable(
  encoding: WavEncoding,
  { channels, bitsPerSample, blockAlign }: Omit<WavFormat, 'dataOffset' | 'dataBytes'>,
): void {
  if (!sampleBits[encoding].includes(bitsPerSample)) {
    throw new WavError(`the WAV has ${bitsPerSample}-bit ${encoding} samples, which do not exist`);
  }
  if (channels === 0) throw new WavError('the WAV declares 0 channels');
  if (blockAlign !== (channels * bitsPerSample) / 8) {
    throw new WavError(
      `the WAV block size ${blockAlign} does not fit its channels and sample size`,
    );
  }
}

/**
 * Mean of the channels, or one of them, as floats in -1..1.
 * @param data whole sample frames
 * @param only index of the channel; null for their mean
 * @throws WavError for NaN or infinite float samples
 */
export function decodeWavBlock(
  data: Uint8Array,
  format: WavFormat,
  only: number | null = null,
): Float32Array {
  const { channels, blockAlign } = format;
  const frames = Math.floor(data.length / blockAlign);
  const read = sampleReader(viewOf(data), format);
  const width = format.bitsPerSample / 8;
  const mono = new Float32Array(frames);
  const [first, end] = only === null ? [0, channels] : [only, only + 1];
  for (let frame = 0; frame < frames; frame += 1) {
    let sum = 0;
    for (let channel = first; channel < end; channel += 1) {
      sum += read(frame * blockAlign + channel * width);
    }
    mono[frame] = sum / (end - first);
    if (!Number.isFinite(mono[frame])) throw new WavError('it holds NaN or infinite samples');
  }
  return mono;
}

function sampleReader(view: DataView, format: WavFormat): (offset: number) => number {
  switch (format.encoding) {
    case 'float':
      return format.bitsPerSample === 64
        ? (offset) => view.getFloat64(offset, true)
        : (offset) => view.getFloat32(offset, true);
    case 'alaw':
      return (offset) => alaw(view.getUint8(offset));
    case 'mulaw':
      return (offset) => mulaw(view.getUint8(offset));
    default:
      return pcmReader(view, format.bitsPerSample);
  }
}

function pcmReader(view: DataView, bits: number): (offset: number) => number {
  if (bits === 8) return (offset) => (view.getUint8(offset) - 128) / 128;
  if (bits === 16) return (offset) => view.getInt16(offset, true) / 32_768;
  if (bits === 32) return (offset) => view.getInt32(offset, true) / 2_147_483_648;
  return (offset) => ((view.getInt8(offset + 2) << 16) | view.getUint16(offset, true)) / 8_388_608;
}

/** ITU-T G.711, A-law. */
function alaw(code: number): number {
  const inverted = code ^ 0x55;
  const exponent = (inverted >> 4) & 7;
  const mantissa = inverted & 15;
  const magnitude = exponent === 0 ? mantissa * 2 + 1 : (mantissa * 2 + 33) << (exponent - 1);
  return ((inverted & 0x80 ? magnitude : -magnitude) * 8) / 32_768;
}

/** ITU-T G.711, mu-law. */
function mulaw(code: number): number {
  const inverted = ~code & 0xff;
  const exponent = (inverted >> 4) & 7;
  const magnitude = (((inverted & 15) * 2 + 33) << exponent) - 33;
  return ((inverted & 0x80 ? -magnitude : magnitude) * 4) / 32_768;
}
