// What a Realtime client may ask for; all else is refused with the name of what is wrong.
import test from 'ava';
import { readClientEvent } from '../../../api/realtime/client-events.ts';
import { defaultConfig } from '../../../api/realtime/config.ts';
import { readRealtimeOpening } from '../../../api/realtime/opening.ts';
import { ServiceError } from '../../../models/contract/errors.ts';

const update = (input: object, more: object = {}) => ({
  type: 'session.update',
  session: { type: 'transcription', audio: { input }, ...more },
});

test('an update changes what it names and leaves the rest', (t) => {
  const event = readClientEvent(
    update({
      format: { type: 'audio/pcmu' },
      transcription: {
        model: 'svc-fourier',
        language: 'de',
        prompt: 'Siobhan',
        keywords: [' Kelly '],
      },
      turn_detection: { type: 'server_vad', silence_duration_ms: 800 },
    }),
  );
  if (event.kind !== 'update') return t.fail();
  t.deepEqual(event.change(defaultConfig('whisper-1')), {
    ...{ format: 'g711_ulaw', model: 'svc-fourier', language: 'de' },
    ...{ prompt: 'Siobhan', keywords: [' Kelly '] },
    turnDetection: { threshold: 0.5, prefixPaddingMs: 300, silenceDurationMs: 800 },
  });
  const nothing = readClientEvent(update({}));
  if (nothing.kind !== 'update') return t.fail();
  t.deepEqual(nothing.change(defaultConfig('whisper-1')), defaultConfig('whisper-1'));
  const off = readClientEvent(update({ turn_detection: null }));
  t.is(off.kind === 'update' && off.change(defaultConfig('whisper-1')).turnDetection, null);
});

const modelParam = 'session.audio.input.transcription.model';
const refused: readonly (readonly [object, string, string | null])[] = [
  [{ type: 'response.create' }, 'invalid_field', 'type'],
  [{}, 'invalid_field', 'type'],
  [{ type: 'toString' }, 'invalid_field', 'type'],
  [{ type: 'session.update' }, 'missing_field', 'session'],
  [{ type: 'session.update', session: { type: 'realtime' } }, 'invalid_field', 'session.type'],
  [update({}, { include: ['item.input_audio_transcription.logprobs'] }), 'invalid_field', null],
  [update({ noise_reduction: { type: 'near_field' } }), 'invalid_field', null],
  [update({ turn_detection: { type: 'semantic_vad' } }), 'invalid_field', null],
  [update({ turn_detection: { type: 'server_vad', idle_timeout_ms: 1 } }), 'unknown_field', null],
  [update({ transcription: { prompt: 'n'.repeat(8_193) } }), 'invalid_field', null],
  [update({ transcription: { keywords: ['a'] } }), 'invalid_field', null],
  [update({ transcription: { keywords: 'Kelly' } }), 'invalid_field', null],
  [update({ transcription: { keywords: ['Kell\0y'] } }), 'invalid_field', null],
  [update({ transcription: { keywords: ['Kelly\ud83d'] } }), 'invalid_field', null],
  [
    update({ transcription: { delay: 'low' } }),
    'unknown_field',
    'session.audio.input.transcription.delay',
  ],
  [update({ transcription: { model: 'gpt-4o-transcribe' } }), 'model_not_found', modelParam],
  [update({ transcription: { model: 'svc-svceet' } }), 'model_not_supported', modelParam],
  [
    {
      type: 'transcription_session.update',
      session: { input_audio_transcription: { model: 'nope' } },
    },
    'model_not_found',
    'session.input_audio_transcription.model',
  ],
  [update({ transcription: { language: 'xx' } }), 'invalid_field', null],
  [update({ format: { type: 'audio/pcm', rate: 16_000 } }), 'invalid_field', null],
  [update({ format: { type: 'audio/opus' } }), 'invalid_field', null],
  [{ type: 'input_audio_buffer.append' }, 'missing_field', 'audio'],
  [{ type: 'input_audio_buffer.commit', extra: 1 }, 'unknown_field', 'extra'],
];

for (const [given, code, param] of refused) {
  test(`refused: ${JSON.stringify(given)}`, (t) => {
    const error = t.throws(() => readClientEvent(given as Record<string, unknown>), {
      instanceOf: ServiceError,
    });
    t.is(error?.code, code as ServiceError['code']);
    if (param !== null) t.is(error?.param, param);
    t.true((error?.message.length ?? 0) > 10);
  });
}

test('the address names an intent or a model, and nothing else', (t) => {
  const none = {};
  const opening = { model: 'whisper-1', dialect: 'current' } as const;
  t.deepEqual(readRealtimeOpening('intent=transcription', none), { ...opening });
  t.is(readRealtimeOpening('model=svc-fourier', none).model, 'svc-fourier');
  t.is(readRealtimeOpening(undefined, { 'openai-beta': 'realtime=v1' }).dialect, 'preview');
  const ofPage = { 'sec-websocket-protocol': 'realtime, openai-insecure-api-key.svc_1' };
  t.is(readRealtimeOpening(undefined, ofPage).dialect, 'current');
  const beta = `${ofPage['sec-websocket-protocol']}, openai-beta.realtime-v1`;
  t.is(readRealtimeOpening(undefined, { 'sec-websocket-protocol': beta }).dialect, 'preview');
  for (const [query, code] of [
    ['model=gpt-realtime', 'model_not_found'],
    ['intent=conversation', 'invalid_field'],
    ['api_key=svc_1', 'unknown_field'],
    ['model=whisper-1&model=svc-fourier', 'duplicate_field'],
  ] as const) {
    t.is(
      t.throws(() => readRealtimeOpening(query, none), { instanceOf: ServiceError })?.code,
      code,
    );
  }
});
