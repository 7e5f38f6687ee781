// Where turns begin and end, from the probabilities of speech: hysteresis as Silero's iterator has
// it, with the settings of OpenAI's `server_vad`; pure.
import { hopSamples } from '../../models/vad/hops.ts';
import { sampleRate } from '../../models/audio/sample-rate.ts';
import type { TurnDetection } from './config.ts';

export interface TurnState {
  /** Hops that have been detected. */
  readonly hops: number;
  /** Hops of speech in a row that have not begun a turn yet. */
  readonly rising: number;
  readonly speaks: boolean;
  /** End of the last speech of the turn, in hops. */
  readonly speechEndHop: number;
}

export type TurnChange =
  /** The first sample of the speech, without prefix. */
  | { readonly kind: 'started'; readonly atSample: number }
  /** The end of the silence that ended the turn. */
  | { readonly kind: 'stopped'; readonly atSample: number };

export const silentTurns: TurnState = { hops: 0, rising: 0, speaks: false, speechEndHop: 0 };

/** About 0.1 s of speech; a click is shorter. */
const minSpeechHops = 3;
/** Speech ends this much below the probability at which it begins. */
const hysteresis = 0.15;
const hopMs = (hopSamples / sampleRate) * 1_000;

/** @param probability of speech in the next hop */
export function stepTurns(
  state: TurnState,
  probability: number,
  { threshold, silenceDurationMs }: TurnDetection,
): { readonly state: TurnState; readonly change: TurnChange | null } {
  const hops = state.hops + 1;
  if (!state.speaks) {
    const rising = probability >= threshold ? state.rising + 1 : 0;
    if (rising < minSpeechHops) return { state: { ...state, hops, rising }, change: null };
    const next = { hops, rising: 0, speaks: true, speechEndHop: hops };
    return { state: next, change: { kind: 'started', atSample: (hops - rising) * hopSamples } };
  }
  const isSpeech = probability >= Math.max(threshold - hysteresis, 0.01);
  const speechEndHop = isSpeech ? hops : state.speechEndHop;
  const silentHops = Math.max(1, Math.ceil(silenceDurationMs / hopMs));
  if (hops - speechEndHop < silentHops) {
    return { state: { ...state, hops, speechEndHop }, change: null };
  }
  const next = { hops, rising: 0, speaks: false, speechEndHop };
  return { state: next, change: { kind: 'stopped', atSample: hops * hopSamples } };
}
