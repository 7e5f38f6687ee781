// The events that a client of OpenAI's Realtime API sends, for transcription sessions: what is not
// supported is refused, never ignored. Pure.
import { z } from 'zod';
import { commonModels, modelError } from '../../models/contract/served-models.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import { takenMembers, toValidationError } from '../http/validation-error.ts';
import { openAiModel } from '../openai-compatible/request.ts';
import { spokenLanguages } from '../fields/language.ts';
import { termList } from '../fields/vocabulary.ts';
import { defaultTurnDetection, settingPaths, type Dialect, type RealtimeConfig } from './config.ts';
import type { InputFormat } from './audio-input.ts';

const turnDetection = z
  .strictObject({
    type: z.literal('server_vad', { error: 'it takes server_vad or null' }),
    threshold: z.number().min(0.05).max(0.95).optional(),
    prefix_padding_ms: z.int().min(0).max(2_000).optional(),
    silence_duration_ms: z.int().min(100).max(5_000).optional(),
  })
  .nullable()
  .optional();

/** Room for a hundred long terms; a session keeps it, and shows it with each update. */
const maxPromptCharacters = 8_192;

const transcription = z
  .strictObject({
    model: z.string().max(64).optional(),
    language: z.enum(spokenLanguages as [string, ...string[]]).nullish(),
    prompt: z.string().max(maxPromptCharacters).nullish(),
    keywords: termList('keywords').nullish(),
  })
  .optional();

const off = (what: string) => z.null({ error: `${what} is not supported; use null` }).optional();
const include = z
  .array(z.never({ error: 'nothing can be included' }))
  .max(0, { error: 'nothing can be included' })
  .nullish();
const currentFormats = {
  'audio/pcm': 'pcm16',
  'audio/pcmu': 'g711_ulaw',
  'audio/pcma': 'g711_alaw',
} as const satisfies Readonly<Record<string, InputFormat>>;

const format = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('audio/pcm'),
    rate: z.literal(24_000, { error: 'PCM is 24000 Hz' }).optional(),
  }),
  z.strictObject({ type: z.literal('audio/pcmu') }),
  z.strictObject({ type: z.literal('audio/pcma') }),
]);

const input = z.strictObject({
  format: format.optional(),
  transcription,
  turn_detection: turnDetection,
  noise_reduction: off('noise reduction'),
});

const currentSession = z.strictObject({
  type: z.literal('transcription', { error: 'only transcription sessions are served' }),
  audio: z.strictObject({ input: input.optional() }).optional(),
  include,
});

const previewSession = z.strictObject({
  input_audio_format: z.enum(['pcm16', 'g711_ulaw', 'g711_alaw']).optional(),
  input_audio_transcription: transcription,
  turn_detection: turnDetection,
  input_audio_noise_reduction: off('noise reduction'),
  include,
});

const eventId = z.string().max(512).optional();
const eventOf = <T extends string, F extends z.ZodRawShape>(type: T, fields: F) =>
  z.strictObject({ type: z.literal(type), event_id: eventId, ...fields });

const eventSchema = z.discriminatedUnion('type', [
  eventOf('session.update', { session: currentSession }),
  eventOf('transcription_session.update', { session: previewSession }),
  eventOf('input_audio_buffer.append', { audio: z.string() }),
  eventOf('input_audio_buffer.commit', {}),
  eventOf('input_audio_buffer.clear', {}),
]);
const eventTypes: readonly string[] = eventSchema.options.map(({ shape }) => shape.type.value);

export type ClientEvent =
  | {
      readonly kind: 'update';
      readonly dialect: Dialect;
      readonly change: (config: RealtimeConfig) => RealtimeConfig;
    }
  | { readonly kind: 'append'; readonly audio: string }
  | { readonly kind: 'commit' }
  | { readonly kind: 'clear' };

/** @throws ServiceError with the code, message and param of the answer */
export function readClientEvent(given: Readonly<Record<string, unknown>>): ClientEvent {
  const { type } = given;
  if (typeof type !== 'string' || !eventTypes.includes(type)) {
    const named = typeof type === 'string' ? `"${type.slice(0, 64)}"` : 'no type';
    const message = `\`type\` takes ${eventTypes.join(', ')}, got ${named}.`;
    throw new ServiceError('invalid_field', message, { param: 'type' });
  }
  const parsed = eventSchema.safeParse(given, { error: takenMembers });
  if (!parsed.success) {
    throw toValidationError(parsed.error.issues[0]!, { given, member: `member of ${type}` });
  }
  const { data } = parsed;
  switch (data.type) {
    case 'session.update':
      return update('current', data.session.audio?.input ?? {});
    case 'transcription_session.update':
      return update('preview', ofPreview(data.session));
    case 'input_audio_buffer.append':
      return { kind: 'append', audio: data.audio };
    case 'input_audio_buffer.commit':
      return { kind: 'commit' };
    case 'input_audio_buffer.clear':
      return { kind: 'clear' };
  }
}

interface InputSettings {
  readonly format?: { readonly type: keyof typeof currentFormats } | undefined;
  readonly transcription?: z.infer<typeof transcription>;
  readonly turn_detection?: z.infer<typeof turnDetection>;
}

function ofPreview(session: z.infer<typeof previewSession>): InputSettings {
  const named = Object.entries(currentFormats).find(
    ([, value]) => value === session.input_audio_format,
  );
  return {
    format: named && { type: named[0] as keyof typeof currentFormats },
    transcription: session.input_audio_transcription,
    turn_detection: session.turn_detection,
  };
}

/** What an update leaves out stays as it is. */
function update(dialect: Dialect, settings: InputSettings): ClientEvent {
  const { format: chosen, transcription: asked, turn_detection: turns } = settings;
  if (asked?.model !== undefined) {
    requireServed(asked.model, `${settingPaths[dialect].transcription}.model`);
  }
  return {
    kind: 'update',
    dialect,
    change: (config) => ({
      format: chosen ? currentFormats[chosen.type] : config.format,
      model: asked?.model ?? config.model,
      language: asked?.language === undefined ? config.language : asked.language,
      prompt: asked?.prompt === undefined ? config.prompt : (asked.prompt ?? ''),
      keywords: asked?.keywords === undefined ? config.keywords : (asked.keywords ?? []),
      turnDetection:
        turns === undefined
          ? config.turnDetection
          : turns && {
              threshold: turns.threshold ?? defaultTurnDetection.threshold,
              prefixPaddingMs: turns.prefix_padding_ms ?? defaultTurnDetection.prefixPaddingMs,
              silenceDurationMs:
                turns.silence_duration_ms ?? defaultTurnDetection.silenceDurationMs,
            },
    }),
  };
}

const served: readonly string[] = [openAiModel, ...commonModels];

/** @throws ServiceError model_not_found, model_not_supported, model_retired */
export function requireServed(model: string, param = 'model'): void {
  if (served.includes(model)) return;
  const { code, message } = modelError(model, served);
  throw new ServiceError(code, message, { param });
}
