// A Realtime session under any order of events: every turn ends once, in order, and nothing throws.
import test from 'ava';
import fc from 'fast-check';
import { readClientEvent } from '../../../api/realtime/client-events.ts';
import { defaultConfig, type RealtimeConfig } from '../../../api/realtime/config.ts';
import { openRealtime, stepRealtime, type RealtimeOptions } from '../../../api/realtime/session.ts';
import type {
  RealtimeEffect,
  RealtimeEvent,
  RealtimeState,
} from '../../../api/realtime/session-state.ts';

const opening = {
  ...{ identity: { id: 'sess_1', expiresAt: 1 }, dialect: 'current' },
  withoutVocabulary: new Set(['svc-fourier']),
} as const satisfies Partial<RealtimeOptions>;
const second = 16_000;

/** Plays events, and returns all effects in order with the last state. */
function play(config: RealtimeConfig, events: readonly RealtimeEvent[]) {
  const first = openRealtime({ ...opening, config });
  let { state } = first;
  const effects: RealtimeEffect[] = [...first.effects];
  for (const event of events) {
    const step = stepRealtime(state, event);
    state = step.state;
    effects.push(...step.effects);
  }
  return { state, effects };
}

const detecting = defaultConfig('whisper-1');
const manual: RealtimeConfig = { ...detecting, turnDetection: null };

const audio = (seconds: number): RealtimeEvent => ({
  ...{ kind: 'audio', pcm: new Int16Array(seconds * second), eventId: null },
});
const client = (message: Readonly<Record<string, unknown>>): RealtimeEvent => {
  const event = readClientEvent(message);
  if (event.kind === 'append') throw new Error('audio is decoded first');
  return { kind: 'client', event, eventId: 'mine' };
};
const commit = client({ type: 'input_audio_buffer.commit' });
const clear = client({ type: 'input_audio_buffer.clear' });
const detected = (hops: number, probability: number): RealtimeEvent => ({
  kind: 'detected',
  probabilities: new Float32Array(hops).fill(probability),
});
const typesOf = (effects: readonly RealtimeEffect[]): readonly string[] =>
  effects.map((effect) => {
    if (effect.do !== 'send') return effect.do;
    return (effect.message as { readonly type: string }).type;
  });
const messages = (effects: readonly RealtimeEffect[]): readonly any[] =>
  effects.flatMap((effect) => (effect.do === 'send' ? [effect.message] : []));

test('audio that a client commits is one item, from its first sample to its last', (t) => {
  const { effects } = play(manual, [audio(1), audio(0.5), commit]);
  t.deepEqual(typesOf(effects), [
    ...['session.created', 'useFormat', 'detect', 'keep', 'open', 'record', 'keep', 'record'],
    ...['input_audio_buffer.committed', 'conversation.item.added', 'conversation.item.done'],
    'commit',
  ]);
  const spans = effects.flatMap((e) => (e.do === 'record' ? [[e.startSample, e.endSample]] : []));
  t.deepEqual(spans, [
    [0, second],
    [second, 1.5 * second],
  ]);
});

test('detected speech is a turn with its prefix, and the silence that ends it', (t) => {
  // Two seconds of silence, one of speech, then the half second after which a turn ends.
  const { effects } = play(detecting, [
    audio(4),
    detected(62, 0.01),
    detected(31, 0.9),
    detected(30, 0.01),
  ]);
  const [, started, stopped] = messages(effects);
  t.like(started, { type: 'input_audio_buffer.speech_started', audio_start_ms: 62 * 32 - 300 });
  t.like(stopped, { type: 'input_audio_buffer.speech_stopped', audio_end_ms: (62 + 31 + 16) * 32 });
  t.is(started.item_id, stopped.item_id);
  const spans = effects.flatMap((e) => (e.do === 'record' ? [[e.startSample, e.endSample]] : []));
  t.is(spans.at(0)?.[0], (62 * 32 - 300) * 16);
  t.is(spans.at(-1)?.[1], (62 + 31 + 16) * 512);
});

test('the next turn names the item before it and does not overlap with it', (t) => {
  const speech = [detected(20, 0.9), detected(16, 0.01)];
  const { effects } = play(detecting, [audio(5), ...speech, detected(4, 0.01), ...speech]);
  const committed = messages(effects).filter(({ type }) => type.endsWith('.committed'));
  t.deepEqual(
    committed.map((message) => [message.previous_item_id, message.item_id]),
    [
      [null, 'item_1_1'],
      ['item_1_1', 'item_1_2'],
    ],
  );
  const spans = effects.flatMap((e) => (e.do === 'record' ? [e] : []));
  for (const [i, span] of spans.slice(1).entries()) {
    t.true(span.startSample >= spans[i]!.endSample);
  }
});

test('speech of more than a minute is cut into turns that follow each other', (t) => {
  const { effects } = play(detecting, [audio(130), detected(4_000, 0.9)]);
  const lengths = new Map<string, number>();
  let reached = 0;
  for (const effect of effects) {
    if (effect.do !== 'record') continue;
    t.is(effect.startSample, Math.max(reached, effect.startSample));
    t.true(effect.startSample - reached < 512 || reached === 0);
    reached = effect.endSample;
    const length = (lengths.get(effect.itemId) ?? 0) + effect.endSample - effect.startSample;
    lengths.set(effect.itemId, length);
  }
  t.is(lengths.size, 3);
  for (const length of lengths.values()) t.true(length <= 60 * second, 'what a turn reserves');
});

test('a commit beside detection takes all that was appended, reached by it or not', (t) => {
  const recorded = (events: readonly RealtimeEvent[]) => {
    const { effects, state } = play(detecting, [...events, commit]);
    const spans = effects.flatMap((e) => (e.do === 'record' ? [[e.startSample, e.endSample]] : []));
    t.like(state, { turn: null, turns: 1, detectionStart: state.lastEndSample });
    return [spans[0]![0], spans.at(-1)![1]];
  };
  t.deepEqual(recorded([audio(5), detected(62, 0.9)]), [0, 5 * second]);
  const behindSilence = [62 * 512 - 0.3 * second, 5 * second];
  t.deepEqual(recorded([audio(5), detected(62, 0.01)]), behindSilence);
  t.deepEqual(recorded([audio(70)]), [0, 60 * second], 'the rest is another turn');
  const { effects } = play(detecting, [audio(2), detected(62, 0.01), commit]);
  t.like(messages(effects).at(-1), { error: { code: 'input_audio_buffer_commit_empty' } });
});

test('an empty commit, too much audio and a change in a turn are refused by event', (t) => {
  const update = client({
    ...{ type: 'session.update' },
    session: {
      type: 'transcription',
      audio: { input: { turn_detection: { type: 'server_vad' } } },
    },
  });
  const tooMuch: RealtimeEvent = { ...audio(61), eventId: 'a1' } as RealtimeEvent;
  const { effects, state } = play(manual, [commit, audio(0.05), commit, tooMuch, audio(1), update]);
  const errors = messages(effects).filter(({ type }) => type === 'error');
  t.deepEqual(
    errors.map(({ error }) => [error.code, error.event_id]),
    [
      ['input_audio_buffer_commit_empty', 'mine'],
      ['input_audio_buffer_commit_empty', 'mine'],
      ['audio_too_long', 'a1'],
      ['invalid_field', 'mine'],
    ],
  );
  t.is(state.samples, 1.05 * second);
  t.is(state.config.turnDetection, null);
});

test('clearing drops the turn, and what was spoken before it starts no other one', (t) => {
  const { effects, state } = play(detecting, [audio(2), detected(20, 0.9), clear]);
  t.deepEqual(typesOf(effects).slice(-3), ['drop', 'detect', 'input_audio_buffer.cleared']);
  t.is(state.turn, null);
  t.like(state, { detectionStart: 2 * second, lastEndSample: 2 * second });
});

test('any order of events: no throw, each turn opened once and ended once', (t) => {
  const update = (turns: object | null) =>
    client({
      ...{ type: 'session.update' },
      session: { type: 'transcription', audio: { input: { turn_detection: turns } } },
    });
  const anyEvent = fc.oneof(
    fc.integer({ min: 0, max: 40 }).map((tenths) => audio(tenths / 10)),
    fc
      .tuple(fc.integer({ min: 1, max: 40 }), fc.double({ min: 0, max: 1, noNaN: true }))
      .map(([hops, probability]) => detected(hops, probability)),
    fc.constantFrom(commit, clear, update(null), update({ type: 'server_vad' })),
    fc.constantFrom<RealtimeEvent>(
      { kind: 'delta', itemId: 'item_1_1', text: 'a' },
      { kind: 'completed', itemId: 'item_1_1', transcript: 'a', seconds: 1 },
      { kind: 'gone' },
    ),
  );
  fc.assert(
    fc.property(fc.constantFrom(manual, detecting), fc.array(anyEvent), (config, events) => {
      const { effects } = play(config, events);
      t.true(isOrderly(effects));
    }),
    { numRuns: 500 },
  );
});

function isOrderly(effects: readonly RealtimeEffect[]): boolean {
  const open = new Set<string>();
  const known = new Set<string>();
  let over = false;
  for (const effect of effects) {
    if (over && effect.do !== 'send' && effect.do !== 'close') return false;
    if (effect.do === 'abandon') over = true;
    if (effect.do === 'open') {
      if (known.has(effect.itemId) || open.size > 0) return false;
      known.add(effect.itemId);
      open.add(effect.itemId);
    }
    if (
      effect.do === 'record' &&
      (!open.has(effect.itemId) || effect.endSample <= effect.startSample)
    )
      return false;
    if ((effect.do === 'commit' || effect.do === 'drop') && !open.delete(effect.itemId))
      return false;
  }
  return true;
}

test('a prompt is kept and shown; a model that takes none refuses its terms', (t) => {
  const update = (transcription: object) =>
    client({
      ...{ type: 'session.update' },
      session: { type: 'transcription', audio: { input: { transcription } } },
    });
  const { effects, state } = play(detecting, [
    update({ prompt: 'Siobhan, Kelly', language: 'en' }),
    update({ model: 'svc-fourier' }),
    update({ model: 'svc-fourier', prompt: '' }),
    update({ prompt: 'Siobhan' }),
  ]);
  const [, updated, refused, other, again] = messages(effects);
  const shown = { model: 'whisper-1', language: 'en', prompt: 'Siobhan, Kelly' };
  t.deepEqual(updated.session.audio.input.transcription, shown);
  for (const { error } of [refused, again]) {
    t.like(error, { code: 'vocabulary_unsupported', param: 'prompt', event_id: 'mine' });
  }
  t.like(other.session.audio.input.transcription, { model: 'svc-fourier', prompt: '' });
  t.like(state.config, { model: 'svc-fourier', prompt: '' });
});

test('the older form has its own events', (t) => {
  const first = openRealtime({ ...opening, dialect: 'preview', config: manual });
  t.is(messages(first.effects)[0].type, 'transcription_session.created');
  const settings = { input_audio_format: 'g711_ulaw', turn_detection: { type: 'server_vad' } };
  const event = client({ type: 'transcription_session.update', session: settings });
  const { state, effects } = stepRealtime(first.state as RealtimeState, event);
  t.is(state.config.format, 'g711_ulaw');
  t.like(messages(effects)[0], {
    type: 'transcription_session.updated',
    session: { input_audio_format: 'g711_ulaw', turn_detection: { silence_duration_ms: 500 } },
  });
});
