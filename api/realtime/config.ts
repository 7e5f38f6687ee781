// The settings of a transcription session of OpenAI's Realtime API, and how a session shows them.
import type { ModelId } from '../../models/contract/catalog.ts';
import { defaultModel } from '../../models/contract/served-models.ts';
import type { RealtimeOpening } from '../streams/authenticate.ts';
import { openAiModel } from '../openai-compatible/request.ts';
import type { InputFormat } from './audio-input.ts';

export interface TurnDetection {
  /** Probability of speech from which a turn begins, 0-1. */
  readonly threshold: number;
  /** Audio before the detected speech that belongs to the turn. */
  readonly prefixPaddingMs: number;
  /** Silence that ends a turn. */
  readonly silenceDurationMs: number;
}

export interface RealtimeConfig {
  readonly format: InputFormat;
  /** As the client named it. */
  readonly model: string;
  /** ISO 639-1 code; null: detected. */
  readonly language: string | null;
  /** As the client wrote it: its names and terms are the vocabulary. */
  readonly prompt: string;
  /** Terms of the vocabulary, before those of the prompt. */
  readonly keywords: readonly string[];
  /** null: the client commits its turns. */
  readonly turnDetection: TurnDetection | null;
}

/** Those of OpenAI. */
export const defaultTurnDetection: TurnDetection = {
  threshold: 0.5,
  prefixPaddingMs: 300,
  silenceDurationMs: 500,
};

export function defaultConfig(model: string): RealtimeConfig {
  const spoken = { language: null, prompt: '', keywords: [] };
  return { format: 'pcm16', model, ...spoken, turnDetection: defaultTurnDetection };
}

export function modelOf({ model }: RealtimeConfig): ModelId {
  return model === openAiModel ? defaultModel : (model as ModelId);
}

/** The two forms of the API's events: today's, and that of its preview. */
export type Dialect = RealtimeOpening['dialect'];

/** Where an update has them, as errors name it. */
export const settingPaths = {
  current: {
    format: 'session.audio.input.format',
    transcription: 'session.audio.input.transcription',
    turnDetection: 'session.audio.input.turn_detection',
  },
  preview: {
    format: 'session.input_audio_format',
    transcription: 'session.input_audio_transcription',
    turnDetection: 'session.turn_detection',
  },
} as const satisfies Record<Dialect, object>;

export interface SessionIdentity {
  readonly id: string;
  /** Unix seconds. */
  readonly expiresAt: number;
}

const object = 'realtime.transcription_session';

/** The session object of `session.created` and `session.updated` in either form. */
export function sessionView(
  { id, expiresAt }: SessionIdentity,
  config: RealtimeConfig,
  dialect: Dialect,
): object {
  const { format, model, language, prompt, keywords, turnDetection } = config;
  const transcription = { model, language, prompt, ...(keywords.length > 0 && { keywords }) };
  const turns = turnDetection && {
    type: 'server_vad',
    threshold: turnDetection.threshold,
    prefix_padding_ms: turnDetection.prefixPaddingMs,
    silence_duration_ms: turnDetection.silenceDurationMs,
  };
  if (dialect === 'preview') {
    return {
      ...{ id, object, expires_at: expiresAt },
      input_audio_format: format,
      input_audio_transcription: transcription,
      turn_detection: turns,
      input_audio_noise_reduction: null,
      include: null,
    };
  }
  const input = { transcription, turn_detection: turns, noise_reduction: null };
  return {
    ...{ type: 'transcription', object, id, expires_at: expiresAt },
    audio: { input: { format: formatViews[format], ...input } },
    include: null,
  };
}

const formatViews: Readonly<Record<InputFormat, object>> = {
  pcm16: { type: 'audio/pcm', rate: 24_000 },
  g711_ulaw: { type: 'audio/pcmu' },
  g711_alaw: { type: 'audio/pcma' },
};
