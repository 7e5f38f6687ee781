// A linear head on parts of a chunk, against the plain sums over their frames.
import test from 'ava';
import { headProducts } from '../../../models/asr/head-parts.ts';
import { float32Tensor } from '../../../models/onnx/tensor.ts';
import { createRandom } from '../../support/random.ts';

const hidden = 3;
const weights = Float32Array.of(1, -2, 3, 0.5, -1, 2, 4, 1, -3, 2, 1, -1);

function layer(frames: number, seed: number) {
  const data = Float32Array.from({ length: frames * hidden }, createRandom(seed));
  return { data, tensor: float32Tensor(data, [1, frames, hidden]) };
}

function tensorsOf(layers: readonly ReturnType<typeof layer>[]) {
  return layers.map(({ tensor }) => tensor);
}

function plain(layers: readonly ReturnType<typeof layer>[], from: number, to: number): number {
  return layers.reduce((sum, { data }, n) => {
    for (let column = 0; column < hidden; column += 1) {
      const values = Array.from(
        { length: to - from },
        (_, i) => data[(from + i) * hidden + column]!,
      );
      const mean = values.reduce((total, value) => total + value, 0) / values.length;
      const squares = values.reduce((total, value) => total + (value - mean) ** 2, 0);
      const slope = weights[2 * hidden * n + column]!;
      const ofDeviation = weights[2 * hidden * n + hidden + column]!;
      sum += slope * mean + ofDeviation * Math.sqrt(squares / values.length);
    }
    return sum;
  }, 0);
}

function isNear(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((each, i) => Math.abs(each - other[i]!) < 1e-4);
}

test('a part has 66 frames, and starts 11 after the one before', (t) => {
  const layers = [layer(100, 1), layer(100, 2)];
  const expected = [0, 11, 22].map((from) => plain(layers, from, from + 66));
  t.true(
    isNear(headProducts(weights, tensorsOf(layers), { inParts: true }).parts, [
      ...expected,
      plain(layers, 33, 100),
    ]),
  );
});

test('a short chunk is one part', (t) => {
  for (const frames of [1, 10, 11, 60, 76]) {
    const layers = [layer(frames, 3), layer(frames, 4)];
    t.true(
      isNear(headProducts(weights, tensorsOf(layers), { inParts: true }).parts, [
        plain(layers, 0, frames),
      ]),
      `${frames}`,
    );
  }
});

test('the whole has all frames', (t) => {
  for (const frames of [1, 10, 60, 100]) {
    const layers = [layer(frames, 5), layer(frames, 6)];
    const { whole, parts } = headProducts(weights, tensorsOf(layers), { inParts: false });
    t.deepEqual(parts, []);
    t.true(isNear([whole], [plain(layers, 0, frames)]), `${frames}`);
  }
});
