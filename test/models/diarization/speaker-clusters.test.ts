// The number of speakers, and a requested one: who speaks most of the time is still one.
import test from 'ava';
import { clusterVectors, dot, type Vectors } from '../../../models/diarization/k-means.ts';
import { exactSpeakers, findSpeakers } from '../../../models/diarization/speaker-clusters.ts';

const size = 6;

/**
 * Unit vectors: `windows` of each speaker along its axis, leaning to the sixth axis or away from
 * it.
 */
function voices(windows: readonly number[], lean: number): Vectors {
  const rows = windows.flatMap((count, voice) =>
    Array.from({ length: count }, (_, i) => {
      const row = new Float32Array(size);
      row[voice] = 1;
      row[size - 1] = i % 2 === 0 ? lean : -lean;
      const length = Math.sqrt(dot(row, row));
      return row.map((value) => value / length);
    }),
  );
  const data = new Float32Array(rows.length * size);
  rows.forEach((row, i) => data.set(row, i * size));
  return { data, count: rows.length, size };
}

test('a voice that speaks most of the time is not two speakers', async (t) => {
  const vectors = voices([200, 6, 6, 6], 0.4);
  const axesOf = (centroids: readonly Float32Array[]): readonly number[] =>
    centroids
      .map((centroid) => centroid.findIndex((value) => Math.abs(value) > 0.9))
      .toSorted((a, b) => a - b);
  t.deepEqual(axesOf(await exactSpeakers(vectors, 4)), [0, 1, 2, 3]);
  // The case for which the rule exists.
  t.notDeepEqual(axesOf((await clusterVectors(vectors, 4)).centroids), [0, 1, 2, 3]);
});

test('no more speakers than there are vectors', async (t) => {
  t.is((await exactSpeakers(voices([1, 1], 0), 5)).length, 2);
  t.is((await exactSpeakers(voices([3, 3], 0.1), 1)).length, 1);
});

/** Unit vectors around each direction, some degrees off it, as windows of one voice are. */
function around(directions: readonly (readonly number[])[], windows: number): Vectors {
  const rows = directions.flatMap((direction, voice) =>
    Array.from({ length: windows }, (_, i) => {
      const row = Float32Array.from(direction, (value, axis) => {
        return value + 0.25 * Math.sin(1 + 7 * i + 13 * voice + 5 * axis * (i + 1));
      });
      const length = Math.sqrt(dot(row, row));
      return row.map((value) => value / length);
    }),
  );
  const data = new Float32Array(rows.length * size);
  rows.forEach((row, i) => data.set(row, i * size));
  return { data, count: rows.length, size };
}

test('two similar voices of five are separated, and one voice is not split', async (t) => {
  const others = [0, 1, 2].map((axis) => Array.from({ length: size }, (_, i) => +(i === axis)));
  const similar = [
    [0, 0, 0, 1, 0, 0],
    [0, 0, 0, 0.5, Math.sqrt(0.75), 0],
  ];
  t.is((await findSpeakers(around([...others, ...similar], 40))).length, 5);
  t.is((await findSpeakers(around(similar, 40))).length, 2);
  for (const voice of [...others, ...similar])
    t.is((await findSpeakers(around([voice], 80))).length, 1);
});

test('two sentences of one voice are one speaker where there is little of them', async (t) => {
  const sentences = [
    [1, 0, 0, 0, 0, 0],
    [0.65, Math.sqrt(1 - 0.65 ** 2), 0, 0, 0, 0],
  ];
  t.is((await findSpeakers(around(sentences, 6))).length, 1);
  t.is((await findSpeakers(around(sentences, 60))).length, 2);
});

test('an answer of two windows is a speaker where it is clearly another voice', async (t) => {
  t.is((await findSpeakers(voices([4, 2], 0.1))).length, 2);
  t.is((await findSpeakers(voices([4, 1], 0.1))).length, 1);
});

test('others have the thread while the voices of an hour are clustered', async (t) => {
  let turns = 0;
  const count = (): void => {
    turns += 1;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  await clusterVectors(voices([40, 40, 40], 0.3), 3);
  clearImmediate(timer);
  t.true(turns >= 15, `${turns}`);
});
