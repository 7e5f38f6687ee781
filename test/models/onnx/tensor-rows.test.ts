// Rows that are stacked one by one hold what was added, and free what nothing else reads.
import test from 'ava';
import { freeTensors } from '../../../models/onnx/free-tensors.ts';
import { keepRows, stackRows } from '../../../models/onnx/tensor-rows.ts';
import { float32Tensor } from '../../../models/onnx/tensor.ts';

const row = (...values: readonly number[]) =>
  float32Tensor(Float32Array.from(values), [1, 1, values.length]);

test('rows are copied in the order in which they are added, and freed unless kept', (t) => {
  const [kept, given] = [row(1, 2), row(3, 4)];
  const stack = stackRows(3);
  stack.add(kept, true);
  stack.add(given, false);
  const rows = stack.rows();
  t.deepEqual(rows.dims, [2, 1, 2]);
  t.deepEqual([...(rows.data as Float32Array)], [1, 2, 3, 4]);
  t.deepEqual([...(kept.data as Float32Array)], [1, 2]);
  t.is((given.data as Float32Array).length, 0);
});

test('the only row of a stack is not copied, and a stack without rows is an error', (t) => {
  const stack = stackRows(1);
  t.throws(() => stack.rows(), { instanceOf: RangeError });
  const only = row(1, 2);
  stack.add(only, false);
  t.is(stack.rows(), only);
});

test('what a selection of rows leaves is freed with it', (t) => {
  const stack = stackRows(2);
  stack.add(row(1, 2), false);
  stack.add(row(3, 4), false);
  const all = stack.rows();
  const selected = keepRows(all, [1]);
  t.deepEqual([...(selected.data as Float32Array)], [3, 4]);
  freeTensors([selected]);
  t.is((all.data as Float32Array).length, 0);
  t.notThrows(() => freeTensors([all]));
});
