// A computation in stages runs those that its outputs depend on, and fetches what is read.
import test from 'ava';
import type { Session, Tensor } from '../../../models/onnx/session.ts';
import { inStages } from '../../../models/onnx/stages.ts';
import { float32Tensor } from '../../../models/onnx/tensor.ts';

/** Three layers, of which each reads the states before it and what the first has for all. */
function layers(runs: string[], made = new Map<string, Tensor>()): Session {
  const stage = (inputNames: readonly string[], outputNames: readonly string[]): Session => ({
    inputNames,
    outputNames,
    run: async (feeds, fetches = outputNames) => {
      runs.push(`${Object.keys(feeds).join()} -> ${fetches.join()}`);
      for (const name of fetches) made.set(name, float32Tensor(new Float32Array(1), [1]));
      return Object.fromEntries(fetches.map((name) => [name, made.get(name)!]));
    },
  });
  return inStages([
    stage(['samples'], ['states.0', 'angles']),
    stage(['states.0', 'angles'], ['states.1']),
    stage(['states.1', 'angles'], ['states.2']),
  ]);
}

const feeds = { samples: float32Tensor(new Float32Array(1), [1]) };

test('the last output needs every stage', async (t) => {
  const runs: string[] = [];
  const session = layers(runs);
  t.deepEqual(session.inputNames, ['samples']);
  t.deepEqual(session.outputNames, ['states.2']);
  t.deepEqual(Object.keys(await session.run(feeds)), ['states.2']);
  t.deepEqual(runs, [
    'samples -> states.0,angles',
    'states.0,angles -> states.1',
    'states.1,angles -> states.2',
  ]);
});

test('nothing behind the last wanted output is computed', async (t) => {
  const runs: string[] = [];
  const found = await layers(runs).run(feeds, ['states.0', 'states.1']);
  t.deepEqual(Object.keys(found), ['states.0', 'states.1']);
  t.deepEqual(runs, ['samples -> states.0,angles', 'states.0,angles -> states.1']);
  runs.length = 0;
  await layers(runs).run(feeds, ['states.0']);
  t.deepEqual(runs, ['samples -> states.0']);
});

test('what later stages have read is freed, but not what is wanted or was given', async (t) => {
  const made = new Map<string, Tensor>();
  await layers([], made).run(feeds, ['states.0', 'states.2']);
  const held = [...made].filter(([, { data }]) => data.length > 0).map(([name]) => name);
  t.deepEqual(held, ['states.0', 'states.2']);
  t.is(feeds.samples.data.length, 1);
});
