// Slaney's mel filter bank with unit area per band, as librosa's default.

// The scale is linear up to a corner, with 15 mels there, and logarithmic above it.
const cornerHertz = 1_000;
const cornerMel = 15;
const logStep = Math.log(6.4) / 27;

function toMel(hertz: number): number {
  if (hertz < cornerHertz) return (hertz * 3) / 200;
  return cornerMel + Math.log(hertz / cornerHertz) / logStep;
}

function toHertz(mel: number): number {
  if (mel < cornerMel) return (mel * 200) / 3;
  return cornerHertz * Math.exp(logStep * (mel - cornerMel));
}

export interface FilterBank {
  /** Samples of the Fourier transform. */
  readonly length: number;
  readonly mels: number;
  /** Samples per second. */
  readonly rate: number;
}

/** Row-major [length / 2 + 1, mels]. */
export function slaneyFilters({ length, mels, rate }: FilterBank): Float32Array {
  const bins = length / 2 + 1;
  const top = toMel(rate / 2);
  const edges = Array.from({ length: mels + 2 }, (_, i) => toHertz((top * i) / (mels + 1)));
  const filters = new Float32Array(bins * mels);
  for (let bin = 0; bin < bins; bin += 1) {
    const hertz = (bin * rate) / length;
    for (let mel = 0; mel < mels; mel += 1) {
      const [left, centre, right] = edges.slice(mel, mel + 3) as [number, number, number];
      const rising = (hertz - left) / (centre - left);
      const falling = (right - hertz) / (right - centre);
      const height = Math.max(0, Math.min(rising, falling));
      filters[bin * mels + mel] = (height * 2) / (right - left);
    }
  }
  return filters;
}
