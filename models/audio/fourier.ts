// Fast Fourier transform of a power of two, in place (Cooley and Tukey 1965, decimation in time).

export type Transform = (real: Float64Array, imaginary: Float64Array) => void;

/** @returns the forward transform of arrays of this size; its tables are computed once */
export function createTransform(size: number): Transform {
  const cosines = Float64Array.from({ length: size / 2 }, (_, i) =>
    Math.cos((2 * Math.PI * i) / size),
  );
  const sines = Float64Array.from({ length: size / 2 }, (_, i) =>
    Math.sin((2 * Math.PI * i) / size),
  );
  const reversed = bitReversal(size);
  return (real, imaginary) => {
    reorder(real, reversed);
    reorder(imaginary, reversed);
    for (let half = 1; half < size; half *= 2) {
      const step = size / 2 / half;
      for (let k = 0; k < half; k += 1) {
        const c = cosines[k * step]!;
        const s = -sines[k * step]!;
        for (let a = k; a < size; a += 2 * half) {
          const b = a + half;
          const re = real[b]! * c - imaginary[b]! * s;
          const im = real[b]! * s + imaginary[b]! * c;
          real[b] = real[a]! - re;
          imaginary[b] = imaginary[a]! - im;
          real[a]! += re;
          imaginary[a]! += im;
        }
      }
    }
  };
}

function bitReversal(size: number): Uint16Array {
  const reversed = new Uint16Array(size);
  for (let i = 1; i < size; i += 1) {
    reversed[i] = (reversed[i >> 1]! >> 1) | (i & 1 ? size >> 1 : 0);
  }
  return reversed;
}

function reorder(values: Float64Array, reversed: Uint16Array): void {
  for (let i = 0; i < values.length; i += 1) {
    const j = reversed[i]!;
    if (j > i) {
      const kept = values[i]!;
      values[i] = values[j]!;
      values[j] = kept;
    }
  }
}
