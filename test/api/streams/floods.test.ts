// What many messages cost: each one the same, and their number is bounded.
import test from 'ava';
import fc from 'fast-check';
import { openLite, stepLite } from '../../../api/streams/protocols/lite.ts';
import { createMessageQuota } from '../../../api/streams/protocols/message-quota.ts';
import {
  openSpectra,
  stepSpectra,
  type SpectraState,
} from '../../../api/streams/protocols/spectra.ts';

/** A Spectra-2 stream that was started and is not ready yet. */
function startedSpectra(): SpectraState {
  const opened = openSpectra({
    ...{ ticket: null, headerRequestId: null, answerId: 'answer' },
    vocabulary: 'unknown',
  });
  const text = '{"type":"start","model":"svc-spectra-2","task":"analysis"}';
  return stepSpectra(opened, { kind: 'text', text }).state;
}

test('a message before ready costs the same however many are queued already', (t) => {
  const data = new Uint8Array(2);
  let { state } = openLite('unknown');
  let spectra = startedSpectra();
  for (let i = 0; i < 20_000; i += 1) {
    const next = stepLite(state, { kind: 'text', text: '' });
    t.deepEqual(next.effects, []);
    // The queue is part of the new state unchanged: nothing was copied.
    t.is(next.state.backlog?.before, state.backlog);
    state = next.state;
    const then = stepSpectra(spectra, { kind: 'binary', data });
    t.is(then.state.backlog?.before, spectra.backlog);
    spectra = then.state;
  }
});

test('empty and odd frames before ready are rejected at once', (t) => {
  const data = (bytes: number) => ({ kind: 'binary', data: new Uint8Array(bytes) }) as const;
  for (const bytes of [0, 1, 3, 32_770]) {
    t.is(stepLite(openLite('unknown').state, data(bytes)).state.phase, 'closed');
    t.is(stepSpectra(startedSpectra(), data(bytes)).state.phase, 'closed');
  }
});

test('honest clients stay within the quota, and everything else is bounded', (t) => {
  const clock = { ms: 0 };
  const quota = () => createMessageQuota(() => clock.ms);
  const whole = quota();
  for (let i = 0; i < 12_000; i += 1) t.true(whole.take('audio', 160), 'a minute at once');
  const live = quota();
  for (let i = 0; i < 24_000; i += 1) {
    clock.ms += 2.5;
    t.true(live.take('audio', 80), '2.5 ms frames as they are made');
    if (i % 400 === 0) t.true(live.take('control', 10), 'a ping a second');
  }
  const message = fc.record({
    kind: fc.constantFrom('audio' as const, 'control' as const),
    bytes: fc.integer({ min: 0, max: 140 }),
    afterMs: fc.integer({ min: 0, max: 20 }),
  });
  fc.assert(
    fc.property(fc.array(message, { maxLength: 3_000, size: 'max' }), (messages) => {
      const start = clock.ms;
      const bounded = quota();
      let cost = 0;
      for (const { kind, bytes, afterMs } of messages) {
        clock.ms += afterMs;
        if (bounded.take(kind, bytes)) cost += kind === 'control' ? 8 : 1 - bytes / 160;
      }
      return cost <= 1_024 + (clock.ms - start) / 5 + 1e-6;
    }),
    { numRuns: 50 },
  );
});
