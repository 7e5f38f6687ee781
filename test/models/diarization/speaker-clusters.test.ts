// A requested number of speakers: one who speaks most of the time is still one.
import test from 'ava';
import { clusterVectors, dot, type Vectors } from '../../../models/diarization/k-means.ts';
import { exactSpeakers } from '../../../models/diarization/speaker-clusters.ts';

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

test('a voice that speaks most of the time is not two speakers', (t) => {
  const vectors = voices([200, 6, 6, 6], 0.4);
  const axesOf = (centroids: readonly Float32Array[]): readonly number[] =>
    centroids
      .map((centroid) => centroid.findIndex((value) => Math.abs(value) > 0.9))
      .toSorted((a, b) => a - b);
  t.deepEqual(axesOf(exactSpeakers(vectors, 4)), [0, 1, 2, 3]);
  // The case for which the rule exists.
  t.notDeepEqual(axesOf(clusterVectors(vectors, 4).centroids), [0, 1, 2, 3]);
});

test('no more speakers than there are vectors', (t) => {
  t.is(exactSpeakers(voices([1, 1], 0), 5).length, 2);
  t.is(exactSpeakers(voices([3, 3], 0.1), 1).length, 1);
});
