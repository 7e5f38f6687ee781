// Converts the sample rate to 16 kHz with a polyphase windowed-sinc filter that keeps its state
// between blocks.
import { sampleRate } from './sample-rate.ts';

const zeroCrossings = 24;
/** Kaiser window with a stop band of about 80 dB. */
const kaiserBeta = 8;
const kaiserPeak = bessel0(kaiserBeta);
/** Share of the lower Nyquist rate that passes; the rest is the transition band. */
const passBand = 0.94;
/** Rows of the filter from one zero crossing to the next; of common rates 11,025 Hz needs most. */
const rowsPerCrossing = 1_024;

/** Converts one channel, block by block. */
export interface Resampler {
  /** Input samples by which the output is late. */
  readonly delaySamples: number;
  /** Output samples that are final after this input. */
  convert(block: Float32Array): Float32Array;
  /** The remaining samples. In all there are `ceil(input samples * 16000 / rate)`. */
  flush(): Float32Array;
}

/** Samples at 16 kHz at each end of a recording that depend on the zeros beside it. */
export function edgeSamples(rate: number): number {
  return rate === sampleRate ? 0 : Math.ceil((halfWidthOf(rate) * sampleRate) / rate);
}

function halfWidthOf(rate: number): number {
  return Math.ceil(zeroCrossings / scaleOf(rate));
}

/** The cut-off in cycles per two input samples. */
function scaleOf(rate: number): number {
  return Math.min(1, sampleRate / rate) * passBand;
}

/** @param rate input rate in Hz, an integer from 4,000 to 384,000 */
export function createResampler(rate: number): Resampler {
  if (rate === sampleRate) {
    return { delaySamples: 0, convert: (block) => block, flush: () => new Float32Array(0) };
  }
  const filter = designFilter(rate);
  let buffer = new Float32Array(filter.halfWidth);
  /** Input index of buffer[0]; zeros are assumed before sample 0. */
  let bufferStart = -filter.halfWidth;
  let inputs = 0;
  let outputs = 0;

  const produce = (wanted: number): Float32Array => {
    const out = new Float32Array(Math.max(0, wanted - outputs));
    for (let i = 0; i < out.length; i += 1, outputs += 1) {
      const position = outputs * filter.down;
      const centre = Math.floor(position / filter.up);
      const first = centre - filter.halfWidth + 1 - bufferStart;
      const phase = ((position % filter.up) * filter.rows) / filter.up;
      out[i] = filteredAt(filter.taps, phase, { buffer, first });
    }
    const keepFrom = Math.floor((outputs * filter.down) / filter.up) - filter.halfWidth;
    const drop = Math.min(buffer.length, Math.max(0, keepFrom - bufferStart));
    buffer = buffer.slice(drop);
    bufferStart += drop;
    return out;
  };

  return {
    delaySamples: filter.halfWidth,
    convert(block) {
      buffer = append(buffer, block);
      inputs += block.length;
      // An output centred at c needs inputs up to c + halfWidth.
      const settled = inputs - filter.halfWidth;
      return produce(Math.max(0, Math.ceil((settled * filter.up) / filter.down)));
    },
    flush() {
      buffer = append(buffer, new Float32Array(filter.halfWidth + 1));
      return produce(Math.ceil((inputs * filter.up) / filter.down));
    },
  };
}

interface Filter {
  readonly up: number;
  readonly down: number;
  /** Taps on each side of the centre. */
  readonly halfWidth: number;
  /** `up`, or fewer: phases between two rows are interpolated. */
  readonly rows: number;
  /** 2 * halfWidth for each row, and for the first one of the next input sample. */
  readonly taps: readonly Float32Array[];
}

/**
 * Source: Smith, "Digital Audio Resampling", CCRMA; the cut-off is the lower of the two Nyquist
 * rates. A rate that shares no divisor with 16 kHz would have 16,000 phases, so that rows are
 * limited as he does: between them the error of a line is 128 dB down.
 */
function designFilter(rate: number): Filter {
  const divisor = greatestCommonDivisor(rate, sampleRate);
  const [up, down] = [sampleRate / divisor, rate / divisor];
  const [scale, halfWidth] = [scaleOf(rate), halfWidthOf(rate)];
  const rows = Math.min(up, Math.ceil(rowsPerCrossing * scale));
  const taps = Array.from({ length: rows + 1 }, (_, row) => {
    const own = new Float32Array(2 * halfWidth);
    let sum = 0;
    for (let tap = 0; tap < own.length; tap += 1) {
      const distance = tap - halfWidth + 1 - row / rows;
      own[tap] = sinc(distance * scale) * kaiser(distance / halfWidth);
      sum += own[tap]!;
    }
    // Unit gain at 0 Hz in every row, so that a constant stays constant.
    return own.map((tap) => tap / sum);
  });
  return { up, down, halfWidth, rows, taps };
}

interface Input {
  readonly buffer: Float32Array;
  /** Where in it the first tap is. */
  readonly first: number;
}

function filteredAt(taps: Filter['taps'], phase: number, { buffer, first }: Input): number {
  const row = Math.floor(phase);
  const share = phase - row;
  const near = taps[row]!;
  let sum = 0;
  if (share === 0) {
    for (let tap = 0; tap < near.length; tap += 1) sum += near[tap]! * buffer[first + tap]!;
    return sum;
  }
  const next = taps[row + 1]!;
  for (let tap = 0; tap < near.length; tap += 1) {
    const between = near[tap]! + share * (next[tap]! - near[tap]!);
    sum += between * buffer[first + tap]!;
  }
  return sum;
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

function kaiser(x: number): number {
  return Math.abs(x) >= 1 ? 0 : bessel0(kaiserBeta * Math.sqrt(1 - x * x)) / kaiserPeak;
}

/** Modified Bessel function of order 0, by its series. */
function bessel0(x: number): number {
  let term = 1;
  let sum = 1;
  for (let k = 1; term > sum * 1e-12; k += 1) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

function append(head: Float32Array, tail: Float32Array): Float32Array<ArrayBuffer> {
  const joined = new Float32Array(head.length + tail.length);
  joined.set(head);
  joined.set(tail, head.length);
  return joined;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
