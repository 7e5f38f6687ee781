// Both stream protocols under any order of messages: nothing is thrown, and no second result is
// sent.
import test from 'ava';
import fc from 'fast-check';
import { openLite, stepLite, type LiteAdmitted } from '../../../api/streams/protocols/lite.ts';
import {
  floodFailure,
  largeFrameFailure,
  replay,
  type Step,
  type StreamEffect,
  type StreamEvent,
} from '../../../api/streams/protocols/protocol.ts';
import {
  openSpectra,
  stepSpectra,
  type SpectraAdmitted,
} from '../../../api/streams/protocols/spectra.ts';
import type { SpectraContext } from '../../../api/streams/protocols/spectra-start.ts';

const server: SpectraContext = {
  ...{ ticket: null, headerRequestId: null, answerId: 'answer' },
  vocabulary: 'unknown',
};
const spectraAdmitted: SpectraAdmitted = {
  requestId: 'r1',
  task: 'analysis',
  maxAudioSeconds: 2,
  expiresAtMs: null,
};
const failure = { code: 'internal_error', message: 'x', param: null, close: 1011 } as const;
const postponed = { ...failure, code: 'capacity', retryAfterMs: 500 } as const;

const texts = [
  '{"type":"start","model":"svc-spectra-2","task":"analysis"}',
  '{"type":"start","model":"svc-spectra-2","task":"transcription","request_id":"mine"}',
  '{"type":"start","model":"svc-spectra-2"}',
  '{"type":"start","model":"svc-spectra-2","task":"analysis","vocabulary":["Siobhan"]}',
  '{"type":"vocabulary","terms":["Siobhan"]}',
  '{"type":"finish"}',
  '{"type":"cancel"}',
  '{"type":"ping"}',
  '{"type":"ping","t":1}',
  '{"type":"commit"}',
  '{"type":"commit","more":1}',
  '{"type":7}',
  '[]',
  'null',
  '{',
  '',
];

function anyEvent<A>(admitted: A): fc.Arbitrary<StreamEvent<A>> {
  const binary = fc.integer({ min: 0, max: 33_000 }).map((bytes) => new Uint8Array(bytes));
  return fc.oneof(
    fc.constantFrom(...texts).map((text) => ({ kind: 'text', text }) as const),
    fc.string().map((text) => ({ kind: 'text', text }) as const),
    binary.map((data) => ({ kind: 'binary', data }) as const),
    fc.constant({ kind: 'admitted', admitted } as const),
    fc.constant({ kind: 'result', message: { result: true } } as const),
    fc.constant({ kind: 'interim', message: { interim: true } } as const),
    fc.constantFrom(failure, postponed).map((f) => ({ kind: 'failed', failure: f }) as const),
    fc.constantFrom({ kind: 'idle' } as const, { kind: 'expired' } as const),
    fc.constant({ kind: 'gone' } as const),
  );
}

/** All actions of the machine, in order. */
function play<S, T, A>(
  first: Step<S, T>,
  step: (state: S, event: StreamEvent<A>) => Step<S, T>,
  events: readonly StreamEvent<A>[],
): readonly StreamEffect<T>[] {
  return replay(first, step, events).effects;
}

function isInterim<T>(effect: StreamEffect<T>): boolean {
  return effect.do === 'send' && 'interim' in effect.message;
}

function holds<T>(effects: readonly StreamEffect<T>[]): boolean {
  const kinds = effects.map((effect) => effect.do);
  const count = (kind: string): number => kinds.filter((k) => k === kind).length;
  const results = effects.filter((e) => e.do === 'send' && 'result' in e.message).length;
  const end = kinds.findIndex((kind) => kind === 'close' || kind === 'abandon');
  const readyAt = effects.findIndex((e) => e.do === 'send' && 'sample_rate' in e.message);
  const after = end < 0 ? [] : kinds.slice(end);
  return (
    results <= 1 &&
    count('close') <= 1 &&
    count('abandon') <= 1 &&
    count('admit') <= 1 &&
    // A result and an abandonment exclude each other.
    !(results === 1 && count('abandon') === 1) &&
    // No interim text before the stream is ready, or after its end.
    effects.every((effect, i) => !isInterim(effect) || (readyAt >= 0 && i > readyAt)) &&
    !effects.slice(end < 0 ? effects.length : end).some(isInterim) &&
    // Nothing is recorded or started after the end.
    !after.some((kind) => ['admit', 'record', 'finish'].includes(kind))
  );
}

test('any order of events: no throw, one end, never two results', (t) => {
  const contexts = fc.constantFrom<SpectraContext>(
    server,
    { ...server, ticket: { task: 'analysis', requestId: 'r1' }, answerId: 'r1' },
    { ...server, headerRequestId: 'mine', answerId: 'mine', vocabulary: 'taken' },
  );
  const runs = { numRuns: 1_000 };
  fc.assert(
    fc.property(contexts, fc.array(anyEvent(spectraAdmitted)), (context, events) => {
      const first = { state: openSpectra(context), effects: [] };
      return holds(play(first, stepSpectra, events));
    }),
    runs,
  );
  const covered: LiteAdmitted = { coveredSeconds: 3 };
  fc.assert(
    fc.property(fc.constantFrom('unknown', 'taken'), fc.array(anyEvent(covered)), (rule, events) =>
      holds(play(openLite(rule), stepLite, events)),
    ),
    runs,
  );
  t.pass();
});

test('any split of the bytes gives the same recording, before and after ready', (t) => {
  const bytes = Uint8Array.from({ length: 4_000 }, (_, i) => i % 251);
  const text = (value: string) => ({ kind: 'text', text: value }) as const;
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 1_999 })), fc.nat(5), (cuts, held) => {
      const at = [0, ...cuts.map((cut) => 2 * cut).toSorted((a, b) => a - b), bytes.length];
      const frames = at
        .slice(1)
        .map((end, i) => bytes.subarray(at[i], end))
        .filter((data) => data.length > 0)
        .map((data) => ({ kind: 'binary', data }) as const);
      const events: StreamEvent<SpectraAdmitted>[] = [
        text(texts[0]!),
        ...frames.slice(0, held),
        { kind: 'admitted', admitted: spectraAdmitted },
        ...frames.slice(held),
        text('{"type":"finish"}'),
        { kind: 'result', message: { result: true } },
      ];
      const effects = play({ state: openSpectra(server), effects: [] }, stepSpectra, events);
      const recorded = effects.flatMap((e) => (e.do === 'record' ? [...e.data] : []));
      t.deepEqual(recorded, [...bytes]);
      t.deepEqual(
        effects.filter((e) => e.do !== 'record').map((e) => (e.do === 'close' ? e.code : e.do)),
        ['admit', 'send', 'finish', 'send', 1000],
      );
    }),
    { numRuns: 100 },
  );
});

test('each violation of the Spectra-2 protocol has its code', (t) => {
  const started = [
    { kind: 'text', text: texts[0]! },
    { kind: 'admitted', admitted: spectraAdmitted },
  ] as const;
  const ending = (...events: readonly StreamEvent<SpectraAdmitted>[]) => {
    const effects = play({ state: openSpectra(server), effects: [] }, stepSpectra, events);
    const sent = effects.flatMap((e) => (e.do === 'send' ? [e.message] : [])).at(-1) as any;
    const close = effects.find((e) => e.do === 'close');
    return [sent?.error?.code, close?.do === 'close' ? close.code : null];
  };
  const audio = (bytes: number) => ({ kind: 'binary', data: new Uint8Array(bytes) }) as const;
  const text = (value: string) => ({ kind: 'text', text: value }) as const;
  t.deepEqual(ending(audio(2)), ['invalid_field', 1008]);
  t.deepEqual(ending(text('{')), ['invalid_json', 1008]);
  t.deepEqual(ending(...started, started[0]), ['invalid_field', 1008]);
  t.deepEqual(ending(...started, audio(3)), ['invalid_field', 1008]);
  t.deepEqual(ending(...started, audio(32_770)), ['body_too_large', 1009]);
  t.deepEqual(ending(...started, audio(32_000), audio(32_000), audio(2)), ['audio_too_long', 1009]);
  t.deepEqual(ending(...started, audio(1_438), text('{"type":"finish"}')), [
    'audio_too_short',
    1008,
  ]);
  const finished = [...started, audio(1_440), text('{"type":"finish"}')];
  t.deepEqual(ending(...finished, audio(2)), ['invalid_field', 1008]);
  t.deepEqual(ending(...started, { kind: 'idle' }), ['timeout', 4408]);
  t.deepEqual(ending(...started, { kind: 'expired' }), ['session_expired', 4408]);
  t.deepEqual(ending(...started, text('{"type":"cancel"}')), [undefined, 1000]);
});

test('an error before `ready` has the id of the answer, or the one that the start names', (t) => {
  const idOf = (...events: readonly StreamEvent<SpectraAdmitted>[]): string => {
    const effects = play({ state: openSpectra(server), effects: [] }, stepSpectra, events);
    return (effects.flatMap((e) => (e.do === 'send' ? [e.message] : [])).at(-1) as any).error
      .request_id;
  };
  t.is(idOf({ kind: 'text', text: '{' }), 'answer');
  t.is(idOf({ kind: 'text', text: texts[0]! }, { kind: 'failed', failure }), 'answer');
  t.is(idOf({ kind: 'text', text: texts[1]! }, { kind: 'failed', failure }), 'mine');
});

test('audio too early or too late names what it belongs to', (t) => {
  const early = stepSpectra(openSpectra(server), { kind: 'binary', data: new Uint8Array(2) });
  const [, sent] = early.effects as any[];
  t.is(sent.message.error.message, 'Audio was sent before the stream was started.');
});

test('a start validates its model as every endpoint does: retired, not served, unknown', (t) => {
  const codeOf = (model: unknown): string => {
    const text = JSON.stringify({ type: 'start', task: 'analysis', model });
    const { effects } = stepSpectra(openSpectra(server), { kind: 'text', text });
    const [sent] = effects.flatMap((effect) => (effect.do === 'send' ? [effect.message] : []));
    return (sent as any).error.code;
  };
  t.is(codeOf('svc-spectra-1'), 'model_retired');
  t.is(codeOf('svc-resonance'), 'model_not_supported');
  t.is(codeOf('svc-nothing'), 'model_not_found');
  t.is(codeOf(7), 'invalid_field');
});

test('a ping may have further members, a commit may not', (t) => {
  const ready = play(openLite('unknown'), stepLite, [
    { kind: 'admitted', admitted: { coveredSeconds: 3 } },
  ]);
  t.is(ready.length, 2);
  const after = (text: string) =>
    play(openLite('unknown'), stepLite, [
      { kind: 'admitted', admitted: { coveredSeconds: 3 } },
      { kind: 'text', text },
    ]).at(-1);
  t.deepEqual(after('{"type":"ping","t":1}'), { do: 'send', message: { type: 'pong' } });
  t.deepEqual(after('{"type":"commit","t":1}'), { do: 'close', code: 1008 });
});

test('an end by the worker is reported in the words of each protocol', (t) => {
  const sentBy = <T>(effects: readonly StreamEffect<T>[]): any =>
    effects.flatMap((effect) => (effect.do === 'send' ? [effect.message] : []))[0];
  for (const [failure, lite, spectra] of [
    [floodFailure, 'invalid_message', 'rate_limited'],
    [largeFrameFailure, 'frame_too_large', 'body_too_large'],
  ] as const) {
    const event = { kind: 'failed', failure } as const;
    t.is(sentBy(stepLite(openLite('unknown').state, event).effects).code, lite);
    t.is(sentBy(stepSpectra(openSpectra(server), event).effects).error.code, spectra);
  }
});
