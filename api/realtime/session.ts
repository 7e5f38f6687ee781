// A transcription session of OpenAI's Realtime API as a state machine: events in, effects out.
// Pure; never throws.
import { sampleRate } from '../../models/audio/sample-rate.ts';
import { faultOf, type StreamFailure, type StreamFault } from '../streams/protocols/protocol.ts';
import { sessionView } from './config.ts';
import { toEventError } from './event-error.ts';
import { errorMessage, refuse } from './session-errors.ts';
import type {
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
  isEnough,
  maxTurnSamples,
  maxTurnSeconds,
  minTurnMs,
  startTurn,
  positionOf,
  recordTo,
} from './session-turns.ts';
import { updated } from './session-update.ts';
import { silentTurns } from './turn-detection.ts';

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
