// Billing and spans, computed from numbers alone.
import test from 'ava';
import fc from 'fast-check';
import { planSpans, stageTable } from '../../workflows/plan.ts';
import { billableSeconds, chargedSeconds } from '../../models/contract/billing.ts';

test('seconds are rounded up, with a minimum of one', (t) => {
  const cases = [
    [1, 16_000, 1],
    [16_000, 16_000, 1],
    [16_001, 16_000, 2],
    [441_000, 44_100, 10],
    [160_000_000, 16_000, 10_000],
  ] as const;
  for (const [samples, rate, seconds] of cases) t.is(billableSeconds(samples, rate), seconds);
});

test('of separate channels that contain speech, two cost the length once', (t) => {
  const audio = { sourceSamples: 80_001, sourceRate: 8_000 };
  t.is(chargedSeconds(12_000, audio), 11);
  const charged = [0, 1, 2, 3, 4, 8].map((speechChannels) =>
    chargedSeconds(12_000, { ...audio, speechChannels }),
  );
  t.deepEqual(charged, [11, 11, 11, 22, 33, 77]);
  t.is(chargedSeconds(0, { ...audio, speechChannels: 4 }), 0);
});

test('spans hold every chunk once, in order, and divide the audio', (t) => {
  const chunks = fc.array(fc.double({ min: 0.1, max: 30, noNaN: true }), { maxLength: 400 });
  fc.assert(
    fc.property(chunks, (seconds) => {
      const spans = planSpans(seconds);
      let next = 0;
      spans.forEach((span, index) => {
        t.is(span.index, index);
        t.is(span.firstChunk, next);
        t.true(span.endChunk > span.firstChunk);
        t.true(span.audioSeconds < 260, `${span.audioSeconds}`);
        next = span.endChunk;
      });
      t.is(next, seconds.length);
    }),
  );
});

test('the stage table marks what is done and what is running', (t) => {
  const table = stageTable({
    stage: 'analyzing',
    diarize: false,
    audioSeconds: 61.26,
    chunksDone: 2,
    chunksTotal: 6,
  });
  t.regex(table, /analyzing\*\* 61\.3 s audio, 2\/6 chunks/);
  t.regex(table, /\| Open.*\| done \|/);
  t.regex(table, /\| Analyse.* \| running \|/);
});
