// Chunk plans: they cover all speech, in order, without overlap, within the limits.
import test from 'ava';
import fc from 'fast-check';
import {
  defaultChunkOptions,
  planChunks as plan,
  type ChunkOptions,
} from '../../../../models/analysis/plan/chunk-plan.ts';
import { chunkSeconds, chunkStart } from '../../../../models/analysis/plan/chunk-samples.ts';
import { textChunks } from '../../../../models/analysis/plan/plan.ts';
import { findSpeechRegions } from '../../../../models/vad/speech-regions.ts';

const hopSamples = 512;

const planChunks = (probabilities: Float32Array, samples: number) =>
  plan(findSpeechRegions(probabilities), probabilities, samples);

const probabilities = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 1_500 }), fc.constantFrom(0, 0.2, 0.4, 0.6, 1)), {
    maxLength: 12,
  })
  .map((runs) => Float32Array.from(runs.flatMap(([hops, p]) => Array<number>(hops).fill(p))));

test('chunks are sorted, disjoint, inside the recording and at most the maximum', (t) => {
  fc.assert(
    fc.property(probabilities, fc.integer({ min: 0, max: hopSamples - 1 }), (p, less) => {
      const samples = Math.max(0, p.length * hopSamples - less);
      let end = 0;
      planChunks(p, samples).forEach((chunk, index) => {
        t.is(chunk.index, index);
        t.true(chunk.startSample >= end && chunk.startSample < chunk.endSample);
        t.true(chunk.endSample <= samples);
        const seconds = (chunk.endSample - chunk.startSample) / 16_000;
        t.true(seconds <= defaultChunkOptions.maxSeconds + 0.1, `${seconds}`);
        end = chunk.endSample;
      });
    }),
  );
});

test('every hop of every speech region lies in a chunk', (t) => {
  fc.assert(
    fc.property(probabilities, (p) => {
      const chunks = planChunks(p, p.length * hopSamples);
      for (const { startHop, endHop } of findSpeechRegions(p)) {
        for (let hop = startHop; hop < endHop; hop += 1) {
          const inside = chunks.some(
            ({ startSample, endSample }) =>
              startSample <= hop * hopSamples && (hop + 1) * hopSamples <= endSample,
          );
          if (!inside) t.fail(`hop ${hop} is in no chunk`);
        }
      }
      t.pass();
    }),
    { numRuns: 50 },
  );
});

test('silence has no chunks', (t) => {
  t.deepEqual(planChunks(new Float32Array(1_000).fill(0.1), 512_000), []);
  t.deepEqual(planChunks(new Float32Array(0), 0), []);
});

test('speech is joined up to a length, over short silence', (t) => {
  const hopsOf = (seconds: number): number => Math.round((seconds * 16_000) / hopSamples);
  /** Chunks of two regions of a length, with a gap between them. */
  const chunksOf = (options: ChunkOptions, length: number, gap: number): number => {
    const [long, from] = [hopsOf(length), 100];
    const next = from + long + hopsOf(gap);
    const regions = [from, next].map((startHop) => ({ startHop, endHop: startHop + long }));
    const p = new Float32Array(next + long + 100).fill(0.9);
    return plan(regions, p, p.length * hopSamples, options).length;
  };
  for (const [options, gap, length] of [
    [textChunks, 3, 25],
    [defaultChunkOptions, 1.5, 12],
  ] as const) {
    t.deepEqual(
      [gap - 0.1, gap + 0.1].map((between) => chunksOf(options, 2, between)),
      [1, 2],
      `gaps of ${gap} s`,
    );
    t.deepEqual(
      [length - 0.3, length + 0.3].map((joined) => chunksOf(options, (joined - 1) / 2, 1)),
      [1, 2],
      `chunks of ${length} s`,
    );
  }
});

test('long speech is cut where it is quietest', (t) => {
  const p = new Float32Array(900).fill(0.9);
  p[450] = 0.55;
  const [first] = planChunks(p, 900 * hopSamples);
  t.is(first!.endSample, 450 * hopSamples);
});

test('a recording of 0.1 s of speech is one chunk', (t) => {
  t.is(planChunks(Float32Array.of(0.9, 0.9, 0.9, 0.9), 1_600).length, 1);
});

test('silence around a recording changes nothing of what is read of its speech', (t) => {
  const readOf = (p: Float32Array, samples: number, offset = 0) =>
    planChunks(p, samples).map((chunk) => [
      Math.round((chunkStart(chunk) - offset) * 16_000),
      Math.round(chunkSeconds(chunk) * 16_000),
    ]);
  const hops = fc.integer({ min: 0, max: 100 });
  // In a recording of less than 12 hops, fewer are speech.
  const long = probabilities.filter(({ length }) => length >= 12);
  fc.assert(
    fc.property(long, hops, hops, (p, before, after) => {
      const longer = Float32Array.of(
        ...Array<number>(before).fill(0),
        ...p,
        ...Array<number>(after).fill(0),
      );
      const offset = (before * hopSamples) / 16_000;
      t.deepEqual(
        readOf(longer, longer.length * hopSamples, offset),
        readOf(p, p.length * hopSamples),
      );
    }),
  );
});
