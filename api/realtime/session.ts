// A transcription session of OpenAI's Realtime API as a state machine: events in, effects out.
// Pure; never throws.
import { sampleRate } from '../../models/audio/sample-rate.ts';
import { faultOf, type StreamFailure, type StreamFault } from '../streams/protocols/protocol.ts';
import { expectedTerms, unsupportedVocabulary } from '../fields/vocabulary.ts';
import { modelOf, sessionView, type RealtimeConfig } from './config.ts';
import { toEventError } from './event-error.ts';
import type {
  EventError,
  RealtimeEffect,
  RealtimeEvent,
  RealtimeState,
  RealtimeStep,
  SessionCommand,
} from './session-state.ts';
import {
  commitAppended,
  commitTurn,
  detected,
  openAppended,
  maxTurnSamples,
  maxTurnSeconds,
  startTurn,
  positionOf,
  recordTo,
} from './session-turns.ts';
import { silentTurns } from './turn-detection.ts';

/** OpenAI's minimum of a commit. */
const minTurnMs = 100;

function isEnough(samples: number): boolean {
  return samples * 1_000 >= minTurnMs * sampleRate;
}

export interface RealtimeOptions extends Pick<
  RealtimeState,
  'identity' | 'dialect' | 'config' | 'withoutVocabulary'
> {}

export function openRealtime(options: RealtimeOptions): RealtimeStep {
  const { identity, dialect, config } = options;
  const state: RealtimeState = {
    ...{ phase: 'open', ...options, samples: 0, turn: null, turns: 0 },
    ...{ previousItemId: null, lastEndSample: 0, detection: silentTurns, detectionStart: 0 },
  };
  const type = dialect === 'preview' ? 'transcription_session.created' : 'session.created';
  const created = { type, session: sessionView(identity, config, dialect) };
  return {
    state,
    effects: [
      { do: 'send', message: created },
      { do: 'useFormat', format: config.format },
      { do: 'detect', fromSample: config.turnDetection ? 0 : null },
    ],
  };
}

export function stepRealtime(state: RealtimeState, event: RealtimeEvent): RealtimeStep {
  if (state.phase === 'closed') return { state, effects: [] };
  switch (event.kind) {
    case 'client':
      return command(state, event.event, event.eventId);
    case 'audio':
      return audio(state, event.pcm, event.eventId);
    case 'refused':
      return {
        state,
        effects: [{ do: 'send', message: errorMessage(event.error, event.eventId) }],
      };
    case 'detected':
      return detected(state, event.probabilities);
    case 'delta':
      return answer(state, event.itemId, {
        type: `${transcriptionEvent}.delta`,
        delta: event.text,
      });
    case 'completed': {
      const { itemId, transcript, seconds } = event;
      const usage = { type: 'duration', seconds };
      return answer(state, itemId, { type: `${transcriptionEvent}.completed`, transcript, usage });
    }
    case 'turnFailed':
      return answer(state, event.itemId, {
        type: `${transcriptionEvent}.failed`,
        error: event.error,
      });
    case 'failed':
      return closed(state, event.fault, [
        { do: 'send', message: errorMessage(event.error, null) },
        { do: 'close', code: event.close },
      ]);
    case 'gone':
      return closed(state, 'client', []);
  }
}

const transcriptionEvent = 'conversation.item.input_audio_transcription';

function errorMessage(error: EventError, eventId: string | null): object {
  return { type: 'error', error: { ...error, event_id: eventId } };
}

function answer(state: RealtimeState, itemId: string, message: object): RealtimeStep {
  const own = { ...message, item_id: itemId, content_index: 0 };
  return { state, effects: [{ do: 'send', message: own }] };
}

/** What is in progress ends without a result. */
function closed(
  state: RealtimeState,
  fault: StreamFault,
  effects: readonly RealtimeEffect[],
): RealtimeStep {
  return {
    state: { ...state, phase: 'closed', turn: null },
    effects: [{ do: 'abandon', fault }, ...effects],
  };
}

function command(
  state: RealtimeState,
  event: SessionCommand,
  eventId: string | null,
): RealtimeStep {
  switch (event.kind) {
    case 'update':
      return updated(state, event, eventId);
    case 'commit':
      return committedByClient(state, eventId);
    case 'clear':
      return cleared(state);
  }
}

function updated(
  state: RealtimeState,
  { change, dialect }: Extract<SessionCommand, { kind: 'update' }>,
  eventId: string | null,
): RealtimeStep {
  const before = state.config;
  const config = change(before);
  const isSwitched = (config.turnDetection === null) !== (before.turnDetection === null);
  if (state.turn && (isSwitched || config.format !== before.format)) {
    const what = isSwitched ? '`turn_detection`' : 'the format of the audio';
    const message = `Commit or clear the audio before ${what} is changed.`;
    return refuse(state, { code: 'invalid_field', message, eventId });
  }
  const model = modelOf(config);
  if (state.withoutVocabulary.has(model) && expectedTerms(config).length > 0) {
    const named = config.keywords.length > 0 ? 'keywords' : 'prompt';
    const { code, message, param } = unsupportedVocabulary(model, named);
    return refuse(state, { code, message, param, eventId });
  }
  const type = dialect === 'preview' ? 'transcription_session.updated' : 'session.updated';
  const message = { type, session: sessionView(state.identity, config, dialect) };
  const switched = isSwitched ? withSwitchedTurns(state, config) : { state, effects: [] };
  return {
    state: { ...switched.state, config },
    effects: [
      ...(config.format === before.format
        ? []
        : [{ do: 'useFormat', format: config.format } as const]),
      ...switched.effects,
      { do: 'send', message },
    ],
  };
}

/** What was appended and is not heard yet becomes the open turn where detection ends. */
function withSwitchedTurns(state: RealtimeState, config: RealtimeConfig): RealtimeStep {
  const fromSample = config.turnDetection ? state.samples : null;
  const isLeft = !config.turnDetection && isEnough(state.samples - positionOf(state));
  const appended = isLeft ? openAppended(state, config) : { state, effects: [] };
  const restarted = { detection: silentTurns, detectionStart: state.samples };
  return {
    state: { ...appended.state, ...restarted, lastEndSample: state.samples },
    effects: [{ do: 'detect', fromSample }, ...appended.effects],
  };
}

interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly param?: string | null;
  /** Of the client's event, where it has one. */
  readonly eventId: string | null;
}

function refuse(
  state: RealtimeState,
  { code, message, param = null, eventId }: Refusal,
): RealtimeStep {
  const error = { type: 'invalid_request_error', code, message, param };
  return { state, effects: [{ do: 'send', message: errorMessage(error, eventId) }] };
}

function audio(state: RealtimeState, pcm: Int16Array, eventId: string | null): RealtimeStep {
  if (pcm.length === 0) return { state, effects: [] };
  const samples = state.samples + pcm.length;
  const keep = { do: 'keep', pcm } as const;
  if (state.config.turnDetection) return { state: { ...state, samples }, effects: [keep] };
  const start = state.turn?.startSample ?? state.samples;
  if (samples - start > maxTurnSamples) {
    const message = `A turn has at most ${maxTurnSeconds} seconds; commit it first.`;
    return refuse(state, { code: 'audio_too_long', message, eventId });
  }
  const opened = state.turn
    ? { state, effects: [] }
    : startTurn({ ...state, samples }, state.samples);
  const recorded = recordTo(opened.state, samples);
  return {
    state: { ...recorded.state, samples },
    effects: [keep, ...opened.effects, ...recorded.effects],
  };
}

function committedByClient(state: RealtimeState, eventId: string | null): RealtimeStep {
  const { turn, samples } = state;
  const isDetected = state.config.turnDetection !== null;
  const start = turn?.startSample ?? (isDetected ? positionOf(state) : samples);
  if (isEnough(samples - start)) return isDetected ? commitAppended(state) : commitTurn(state);
  const bufferedMs = Math.floor(((samples - start) / sampleRate) * 1_000);
  const least = `Expected at least ${minTurnMs} ms of audio`;
  const message = `${least}, but the buffer has ${bufferedMs} ms.`;
  return refuse(state, { code: 'input_audio_buffer_commit_empty', message, eventId });
}

/** What was appended and is not committed is forgotten. */
function cleared(state: RealtimeState): RealtimeStep {
  const { turn, samples } = state;
  const fromSample = state.config.turnDetection ? samples : null;
  return {
    state: {
      ...{ ...state, turn: null, lastEndSample: samples },
      ...{ detection: silentTurns, detectionStart: samples },
    },
    effects: [
      ...(turn ? [{ do: 'drop', itemId: turn.itemId } as const] : []),
      { do: 'detect', fromSample },
      { do: 'send', message: { type: 'input_audio_buffer.cleared' } },
    ],
  };
}

/** A failure of the socket or of the account, as the session reports it. */
export function failureEvent(failure: StreamFailure): RealtimeEvent {
  const fault = faultOf(failure);
  return { kind: 'failed', error: toEventError(failure), close: failure.close, fault };
}
