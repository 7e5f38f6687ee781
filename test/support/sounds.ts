// Sounds other than speech, of kinds that are not in the training data (training/sounds.py):
// seeded.
import { createRandom, type Random } from './random.ts';
import { sampleRate } from './speech.ts';

type Maker = (random: Random, samples: number) => Float64Array;

const between = (random: Random, low: number, high: number): number =>
  low + (high - low) * random();

/** Approximately Gaussian, as a sum of uniform numbers. */
function gauss(random: Random): number {
  let sum = -6;
  for (let i = 0; i < 12; i += 1) sum += random();
  return sum;
}

function fill(samples: number, at: (seconds: number, i: number) => number): Float64Array {
  return Float64Array.from({ length: samples }, (_, i) => at(i / sampleRate, i));
}

/** Adds short bursts at random positions: each one receives its own generator of samples. */
function bursts(
  random: Random,
  samples: number,
  { perSecond, burst }: { perSecond: number; burst: () => Float64Array },
): Float64Array {
  const sound = new Float64Array(samples);
  const count = Math.ceil((samples / sampleRate) * perSecond);
  for (let n = 0; n < count; n += 1) {
    const start = Math.floor(random() * samples);
    burst().forEach((value, i) => {
      if (start + i < samples) sound[start + i]! += value;
    });
  }
  return sound;
}

const tone = (hertz: number, seconds: number): number => Math.sin(2 * Math.PI * hertz * seconds);

/** Low-passed noise: each sample keeps this share of the previous one. */
function softNoise(random: Random, samples: number, kept: number): Float64Array {
  let last = 0;
  return fill(samples, () => (last = kept * last + (1 - kept) * gauss(random)));
}

function drums(random: Random, samples: number): Float64Array {
  const kinds = [
    (t: number) => Math.sin(2 * Math.PI * (50 + 80 * Math.exp(-20 * t)) * t) * Math.exp(-8 * t),
    (t: number) => gauss(random) * Math.exp(-15 * t),
    (t: number) => gauss(random) * Math.exp(-60 * t),
  ];
  const beat = Math.floor(between(random, 0.12, 0.35) * sampleRate);
  const sound = new Float64Array(samples);
  for (let start = 0; start < samples; start += beat) {
    const kind = kinds[Math.floor(random() * kinds.length)]!;
    const end = Math.min(samples, start + 0.4 * sampleRate);
    for (let i = start; i < end; i += 1) sound[i]! += kind((i - start) / sampleRate);
  }
  return sound;
}

function bells(random: Random, samples: number): Float64Array {
  return bursts(random, samples, {
    perSecond: between(random, 0.8, 3),
    burst: () => {
      const hertz = between(random, 300, 2_000);
      const depth = between(random, 0.5, 4);
      return fill(2 * sampleRate, (t) => {
        const bend = depth * Math.exp(-3 * t) * tone(hertz * 1.41, t);
        return Math.exp(-2 * t) * Math.sin(2 * Math.PI * hertz * t + bend);
      });
    },
  });
}

function modem(random: Random, samples: number): Float64Array {
  const [low, high] = [
    [980, 1_180],
    [1_650, 1_850],
    [1_300, 2_100],
  ][Math.floor(random() * 3)] as [number, number];
  let [phase, hertz] = [0, low];
  return fill(samples, (_, i) => {
    if (i % 53 === 0) hertz = random() < 0.5 ? low : high;
    phase += (2 * Math.PI * hertz) / sampleRate;
    return Math.sin(phase) + 0.1 * gauss(random);
  });
}

function whistle(random: Random, samples: number): Float64Array {
  let [phase, hertz, aim] = [0, 1_000, 1_000];
  return fill(samples, (_, i) => {
    if (i % 4_000 === 0) aim = between(random, 600, 2_500);
    hertz += (aim - hertz) / 2_000;
    phase += (2 * Math.PI * hertz) / sampleRate;
    return Math.sin(phase) + 0.05 * gauss(random);
  });
}

const makers: Readonly<Record<string, Maker>> = {
  drums,
  bells,
  modem,
  whistle,
  rain: (random, samples) =>
    bursts(random, samples, {
      perSecond: 200,
      burst: () => {
        const hertz = between(random, 1_500, 6_000);
        return fill(60, (t, i) => tone(hertz, t) * Math.exp(-i / 12));
      },
    }),
  applause: (random, samples) =>
    bursts(random, samples, {
      perSecond: between(random, 20, 150),
      burst: () => fill(600, (_, i) => gauss(random) * Math.exp(-i / 150)),
    }),
  keyboard: (random, samples) =>
    bursts(random, samples, {
      perSecond: between(random, 2, 8),
      burst: () => fill(800, (_, i) => gauss(random) * Math.exp(-i / 60)),
    }),
  siren: (random, samples) => {
    const [base, swing, rate] = [between(random, 500, 800), random(), between(random, 0.2, 3)];
    let phase = 0;
    return fill(samples, (t) => {
      phase += (2 * Math.PI * base * 2 ** (swing * tone(rate, t))) / sampleRate;
      return Math.sin(phase) + 0.5 * Math.sin(2 * phase) + 0.3 * Math.sin(3 * phase);
    });
  },
  fan: (random, samples) => {
    const rate = between(random, 3, 25);
    const air = softNoise(random, samples, 0.95);
    return air.map((value, i) => value * (1 + 0.4 * tone(rate, i / sampleRate)));
  },
  'dial tone': (_random, samples) => fill(samples, (t) => tone(350, t) + tone(440, t)),
  'ringing tone': (random, samples) => {
    const shift = 6 * random();
    return fill(samples, (t) => ((t + shift) % 6 < 2 ? tone(440, t) + tone(480, t) : 0));
  },
  'information tone': (_random, samples) =>
    fill(samples, (t) => (t < 1 ? tone([950, 1_400, 1_800][Math.floor(3 * t)]!, t) : 0)),
  'brown noise': (random, samples) => softNoise(random, samples, 0.995),
};

export const untrainedKinds = Object.keys(makers);

/** 16 kHz mono in -1..1, at a random level over a faint floor of noise. */
export function untrainedSound(kind: string, { seconds, seed }: { seconds: number; seed: number }) {
  const random = createRandom(seed);
  const sound = makers[kind]!(random, Math.round(seconds * sampleRate));
  const peak = sound.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-9);
  const level = 10 ** between(random, -1.7, -0.1) / peak;
  const floor = 10 ** between(random, -5, -3.3);
  return Float32Array.from(sound, (value) => value * level + floor * gauss(random));
}
