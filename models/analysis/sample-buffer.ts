// The samples of a growing recording.

export interface SampleBuffer {
  readonly length: number;
  /** @param data PCM16 little-endian, whole samples */
  append(data: Uint8Array): void;
  /** Returns a copy, clamped to the end. */
  slice(from: number, to: number): Int16Array;
}

const firstSamples = 64_000;

/** One array that doubles when it is full. */
export function createSampleBuffer(): SampleBuffer {
  let samples = new Int16Array(firstSamples);
  let length = 0;
  return {
    get length() {
      return length;
    },
    append(data) {
      const count = data.length / 2;
      if (length + count > samples.length) {
        const larger = new Int16Array(2 * (length + count));
        larger.set(samples.subarray(0, length));
        samples = larger;
      }
      const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
      for (let i = 0; i < count; i += 1) samples[length + i] = view.getInt16(2 * i, true);
      length += count;
    },
    slice: (from, to) => samples.slice(from, Math.min(to, length)),
  };
}
