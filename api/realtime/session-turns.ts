// The turns of a Realtime session: opened, recorded, detected and committed; pure.
import { sampleRate } from '../../models/audio/sample-rate.ts';
import { hopSamples } from '../../models/vad/hops.ts';
import type { RealtimeConfig } from './config.ts';
import type { RealtimeEffect, RealtimeState, RealtimeStep } from './session-state.ts';
import { silentTurns, stepTurns, type TurnState } from './turn-detection.ts';

/** The longest turn; detection cuts a longer one. */
export const maxTurnSeconds = 60;
export const maxTurnSamples = maxTurnSeconds * sampleRate;

/** OpenAI's minimum of a commit. */
export const minTurnMs = 100;

export function isEnough(samples: number): boolean {
  return samples * 1_000 >= minTurnMs * sampleRate;
}

/** A turn whose audio begins at this sample. */
export function startTurn(state: RealtimeState, startSample: number): RealtimeStep {
  const itemId = `item_${state.identity.id.replace(/^sess_/, '')}_${state.turns + 1}`;
  const turn = { itemId, startSample, endSample: startSample };
  return {
    state: { ...state, turn, turns: state.turns + 1 },
    effects: [{ do: 'open', itemId, config: state.config, startSample }],
  };
}

/** Records what has been kept up to a sample. */
export function recordTo(state: RealtimeState, endSample: number): RealtimeStep {
  const { turn } = state;
  if (!turn || endSample <= turn.endSample) return { state, effects: [] };
  const { itemId, endSample: startSample } = turn;
  return {
    state: { ...state, turn: { ...turn, endSample } },
    effects: [{ do: 'record', itemId, startSample, endSample }],
  };
}

/** Detection goes on in silence: speech that continues begins another turn. */
function atRest(detection: TurnState): TurnState {
  return { ...silentTurns, hops: detection.hops };
}

/** The open turn becomes an item, which is transcribed. */
export function commitTurn(state: RealtimeState): RealtimeStep {
  const { turn, previousItemId: previous } = state;
  if (!turn) return { state, effects: [] };
  const { itemId } = turn;
  const content = [{ type: 'input_audio', transcript: null }];
  const message = { id: itemId, object: 'realtime.item', type: 'message', role: 'user' };
  const item = { ...message, status: 'completed', content };
  const types =
    state.dialect === 'preview'
      ? ['conversation.item.created']
      : ['conversation.item.added', 'conversation.item.done'];
  const send = (type: string, rest: object): RealtimeEffect => ({
    do: 'send',
    message: { type, previous_item_id: previous, ...rest },
  });
  return {
    state: { ...state, turn: null, previousItemId: itemId, lastEndSample: turn.endSample },
    effects: [
      send('input_audio_buffer.committed', { item_id: itemId }),
      ...types.map((type) => send(type, { item })),
      { do: 'commit', itemId },
    ],
  };
}

/**
 * Everything that has been appended becomes an item, whether or not detection has reached it, and
 * detection begins behind it. Silence that it has heard before belongs to no turn.
 */
export function commitAppended(before: RealtimeState): RealtimeStep {
  const { turn, samples } = before;
  const opened = turn ? { state: before, effects: [] } : startTurn(before, appendedStart(before));
  const longest = opened.state.turn!.startSample + maxTurnSamples;
  const endSample = Math.min(samples, longest);
  const recorded = recordTo(opened.state, endSample);
  const restarted = { detection: silentTurns, detectionStart: endSample };
  const ended = commitTurn({ ...recorded.state, ...restarted });
  const detect = { do: 'detect', fromSample: endSample } as const;
  return {
    state: ended.state,
    effects: [...opened.effects, ...recorded.effects, ...ended.effects, detect],
  };
}

/** Where a turn begins that takes what detection has not reached, with its prefix. */
function appendedStart(state: RealtimeState): number {
  return Math.max(state.lastEndSample, positionOf(state) - prefixSamples(state));
}

/** A turn of what detection has not reached, which goes on in this configuration. */
export function openAppended(before: RealtimeState, config: RealtimeConfig): RealtimeStep {
  const start = Math.max(appendedStart(before), before.samples - maxTurnSamples);
  const opened = startTurn({ ...before, config }, start);
  const recorded = recordTo(opened.state, before.samples);
  return { ...recorded, effects: [...opened.effects, ...recorded.effects] };
}

/** Speech that was detected begins and ends turns. */
export function detected(before: RealtimeState, probabilities: Float32Array): RealtimeStep {
  let state = before;
  const effects: RealtimeEffect[] = [];
  const take = (step: RealtimeStep): void => {
    state = step.state;
    effects.push(...step.effects);
  };
  for (const probability of probabilities) take(detectedHop(state, probability));
  // One record for many hops.
  take(recordTo(state, positionOf(state)));
  return { state, effects };
}

/** How far speech has been detected. */
export function positionOf({ detection, detectionStart }: RealtimeState): number {
  return detectionStart + detection.hops * hopSamples;
}

function prefixSamples({ config: { turnDetection } }: RealtimeState): number {
  return Math.round(((turnDetection?.prefixPaddingMs ?? 0) / 1_000) * sampleRate);
}

function detectedHop(before: RealtimeState, probability: number): RealtimeStep {
  const { turnDetection } = before.config;
  if (!turnDetection) return { state: before, effects: [] };
  const { state: detection, change } = stepTurns(before.detection, probability, turnDetection);
  const state = { ...before, detection };
  if (change?.kind === 'started' && !state.turn) {
    const at = state.detectionStart + change.atSample - prefixSamples(state);
    return started(state, Math.max(state.lastEndSample, at));
  }
  const { turn } = state;
  if (!turn) return { state, effects: [] };
  const isTooLong = positionOf(state) - turn.startSample >= maxTurnSamples;
  return change?.kind === 'stopped' || isTooLong ? stopped(state) : { state, effects: [] };
}

function started(state: RealtimeState, startSample: number): RealtimeStep {
  const opened = startTurn(state, startSample);
  const message = {
    type: 'input_audio_buffer.speech_started',
    audio_start_ms: toMs(startSample),
    item_id: opened.state.turn!.itemId,
  };
  return { ...opened, effects: [{ do: 'send', message }, ...opened.effects] };
}

function stopped(state: RealtimeState): RealtimeStep {
  // A hop may end behind the longest turn.
  const longest = state.turn!.startSample + maxTurnSamples;
  const recorded = recordTo(state, Math.min(positionOf(state), longest));
  const { turn } = recorded.state;
  const message = {
    type: 'input_audio_buffer.speech_stopped',
    audio_end_ms: toMs(turn!.endSample),
    item_id: turn!.itemId,
  };
  const ended = commitTurn({ ...recorded.state, detection: atRest(recorded.state.detection) });
  return {
    state: ended.state,
    effects: [...recorded.effects, { do: 'send', message }, ...ended.effects],
  };
}

function toMs(samples: number): number {
  return Math.round((samples / sampleRate) * 1_000);
}
