// Traces of synthesis are of the span alone, at any level.
import test from 'ava';
import { loadSynthesisTraces } from '../../../models/affect/synthesis-traces.ts';
import { toFloat } from '../../../models/audio/waveform.ts';
import { openModelStore } from '../../../models/bundles/store.ts';
import { testServers } from '../../support/environment.ts';
import { speech } from '../../support/speech.ts';

const rate = 16_000;

async function load() {
  const store = openModelStore(testServers().modelsDirectory);
  const { directory, manifest } = store.bundle('campplus', 'speaker-embedding');
  return loadSynthesisTraces(directory, manifest);
}

const furthest = (a: Float32Array, b: Float32Array): number =>
  a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i]!)), 0);

test('they do not change with the level, nor with what is around the span', async (t) => {
  const traces = await load();
  const spoken = toFloat(await speech('I would like to change the address on my account, please.'));
  const whole = { start: 0, end: spoken.length / rate };
  const read = await traces.read(spoken, [whole]);
  t.is(read.length, traces.size);
  const quieter = await traces.read(
    spoken.map((x) => x / 20),
    [whole],
  );
  t.true(furthest(read, quieter) < 1e-3, `${furthest(read, quieter)}`);

  const around = new Float32Array(spoken.length + 2 * rate).fill(0.1);
  around.set(spoken, rate);
  const moved = { start: 1, end: 1 + whole.end };
  t.is(furthest(read, await traces.read(around, [moved])), 0);
  const both = await traces.read(around, [{ start: 0, end: 0.5 }, moved]);
  t.is(furthest(read, both.subarray(traces.size)), 0);
});

test('spans that are empty or beyond the samples have some too', async (t) => {
  const traces = await load();
  const spans = [
    { start: 0, end: 0 },
    { start: 0.2, end: 0.21 },
    { start: -1, end: 0.1 },
    { start: 3, end: 4 },
  ];
  for (const samples of [new Float32Array(rate), new Float32Array(rate).fill(0.5)]) {
    const read = await traces.read(samples, spans);
    t.is(read.length, spans.length * traces.size);
    t.true(read.every(Number.isFinite));
  }
  t.is((await traces.read(new Float32Array(rate), [])).length, 0);
});
