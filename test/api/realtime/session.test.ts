// A Realtime session: which turns its events open, record and commit, and what it answers.
import test from 'ava';
import { failureEvent, openRealtime, stepRealtime } from '../../../api/realtime/session.ts';
import {
  brokenFrameFailure,
  floodFailure,
  revokedKeyFailure,
  stoppingFailure,
  type StreamFailure,
} from '../../../api/streams/protocols/protocol.ts';
import type { RealtimeEvent, RealtimeState } from '../../../api/realtime/session-state.ts';
import {
  opening,
  second,
  play,
  detecting,
  manual,
  audio,
  client,
  commit,
  clear,
  detected,
  typesOf,
  messages,
} from '../../support/realtime-events.ts';

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

test('an append without a sample opens no turn', (t) => {
  t.deepEqual(play(manual, [audio(0)]).effects, play(manual, []).effects);
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

test('what detection has not reached is the open turn once the client commits', (t) => {
  const toManual = client({
    ...{ type: 'session.update' },
    session: { type: 'transcription', audio: { input: { turn_detection: null } } },
  });
  const spansOf = (...events: readonly RealtimeEvent[]) => {
    const { effects, state } = play(detecting, events);
    t.is(state.turn, null);
    return effects.flatMap((e) => (e.do === 'record' ? [[e.startSample, e.endSample]] : []));
  };
  t.deepEqual(spansOf(audio(5), toManual, audio(1), commit), [
    [0, 5 * second],
    [5 * second, 6 * second],
  ]);
  const start = 62 * 512 - 0.3 * second;
  t.deepEqual(spansOf(audio(5), detected(62, 0.01), toManual, commit), [[start, 5 * second]]);
  t.deepEqual(spansOf(audio(2), detected(62, 0.01), toManual), [], 'less than a commit takes');
  const { effects } = play(detecting, [audio(5), toManual]);
  const opened = effects.find((effect) => effect.do === 'open');
  t.like(opened, { config: { turnDetection: null } });
  const speaking = play(detecting, [audio(5), detected(62, 0.9), toManual]);
  t.like(messages(speaking.effects).at(-1), { error: { code: 'invalid_field' } });
});

test('what ends a session has the code and the type of the envelope', (t) => {
  const errorOf = (failure: StreamFailure) => {
    const { effects } = play(manual, [failureEvent(failure)]);
    const { code, type } = messages(effects).at(-1).error;
    return [code, type];
  };
  t.deepEqual(errorOf(floodFailure), ['rate_limited', 'rate_limit_error']);
  t.deepEqual(errorOf(brokenFrameFailure), ['invalid_field', 'invalid_request_error']);
  t.deepEqual(errorOf(revokedKeyFailure), ['invalid_api_key', 'authentication_error']);
  t.deepEqual(errorOf(stoppingFailure), ['not_ready', 'api_error']);
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
  const param = 'session.audio.input.transcription.prompt';
  for (const { error } of [refused, again]) {
    t.like(error, { code: 'vocabulary_unsupported', param, event_id: 'mine' });
  }
  t.like(other.session.audio.input.transcription, { model: 'svc-fourier', prompt: '' });
  t.like(state.config, { model: 'svc-fourier', prompt: '' });
});

test('a change that an open turn or the model refuses is named by its whole path', (t) => {
  const current = (input: object) =>
    client({ type: 'session.update', session: { type: 'transcription', audio: { input } } });
  const preview = (session: object) => client({ type: 'transcription_session.update', session });
  const terms = { model: 'svc-fourier', keywords: ['Siobhan'] };
  const { effects } = play(manual, [
    audio(1),
    current({ turn_detection: { type: 'server_vad' } }),
    current({ format: { type: 'audio/pcmu' } }),
    current({ transcription: terms }),
    preview({ turn_detection: { type: 'server_vad' } }),
    preview({ input_audio_format: 'g711_alaw' }),
    preview({ input_audio_transcription: { model: 'svc-fourier', prompt: 'Siobhan' } }),
  ]);
  const errors = messages(effects).flatMap(({ type, error }) => (type === 'error' ? [error] : []));
  t.deepEqual(
    errors.map(({ param }) => param),
    [
      'session.audio.input.turn_detection',
      'session.audio.input.format',
      'session.audio.input.transcription.keywords',
      'session.turn_detection',
      'session.input_audio_format',
      'session.input_audio_transcription.prompt',
    ],
  );
  for (const { message, param } of errors) t.true(message.includes(`\`${param}\``));
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
