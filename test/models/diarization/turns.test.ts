// Turns from frames: what interrupts a turn, what is a second speaker, and what an error of either.
import test from 'ava';
import { countHopSamples, countHopSeconds } from '../../../models/diarization/hops.ts';
import { buildTurns } from '../../../models/diarization/turns.ts';

const hops = 200;

interface Frame {
  readonly hop: number;
  readonly speaker: 0 | 1;
  readonly segment?: number;
}

interface Scene {
  readonly frames: readonly Frame[];
  /** Hops from and to. */
  readonly overlaps?: readonly (readonly [number, number])[];
  readonly speech?: readonly (readonly [number, number])[];
}

/** Turns of two speakers as first hop, last hop and speaker. */
function turnsOf({ frames, overlaps = [], speech = [[0, hops]] }: Scene) {
  const overlap = new Float32Array(hops);
  for (const [from, to] of overlaps) overlap.fill(0.9, from, to);
  const turns = buildTurns({
    speech: speech.map(([from, to]) => ({
      startSample: from * countHopSamples,
      endSample: to * countHopSamples,
    })),
    frames: frames.map(({ hop, speaker, segment = 0 }) => ({
      ...{ segment, sample: hop * countHopSamples },
      similarities: Float32Array.from([0, 1], (each) => (each === speaker ? 0.9 : 0.1)),
    })),
    path: Int32Array.from(frames, ({ speaker }) => speaker),
    speakers: 2,
    overlap,
  });
  const hopOf = (seconds: number): number => Math.round(seconds / countHopSeconds);
  return turns.map(({ start, end, speaker }) => [hopOf(start), hopOf(end), speaker]);
}

test('an overlap that is long enough has a second speaker', (t) => {
  const frames: readonly Frame[] = [
    { hop: 0, speaker: 0 },
    { hop: 200, speaker: 1 },
  ];
  const turns = [
    [0, 100, 0],
    [100, 200, 1],
  ];
  t.deepEqual(turnsOf({ frames, overlaps: [[40, 55]] }), turns);
  const [first, last] = turns;
  t.deepEqual(turnsOf({ frames, overlaps: [[40, 56]] }), [first, [40, 56, 1], last]);
});

test('a turn goes on after an interruption that is short enough', (t) => {
  const interrupted = (until: number): readonly Frame[] => [
    { hop: 47, speaker: 0 },
    { hop: 53, speaker: 1 },
    { hop: until, speaker: 0 },
  ];
  t.deepEqual(turnsOf({ frames: interrupted(59) }), [
    [0, 200, 0],
    [50, 56, 1],
  ]);
  t.deepEqual(turnsOf({ frames: interrupted(61) }), [
    [0, 50, 0],
    [50, 57, 1],
    [57, 200, 0],
  ]);
});

test('an overlap around a silence has its second speaker on both sides', (t) => {
  const scene: Scene = {
    frames: [
      { hop: 0, speaker: 0 },
      { hop: 100, speaker: 0, segment: 1 },
    ],
    overlaps: [
      [40, 60],
      [64, 80],
    ],
    speech: [
      [0, 60],
      [64, 200],
    ],
  };
  t.deepEqual(turnsOf(scene), [
    [0, 200, 0],
    [40, 80, 1],
  ]);
});
