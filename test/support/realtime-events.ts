// Events of a Realtime session for its state machine, and the effects that they have.
import { readClientEvent } from '../../api/realtime/client-events.ts';
import { defaultConfig, type RealtimeConfig } from '../../api/realtime/config.ts';
import { openRealtime, stepRealtime, type RealtimeOptions } from '../../api/realtime/session.ts';
import type { RealtimeEffect, RealtimeEvent } from '../../api/realtime/session-state.ts';

export const opening = {
  ...{ identity: { id: 'sess_1', expiresAt: 1 }, dialect: 'current' },
  withoutVocabulary: new Set(['svc-fourier']),
} as const satisfies Partial<RealtimeOptions>;
export const second = 16_000;

/** Plays events, and returns all effects in order with the last state. */
export function play(config: RealtimeConfig, events: readonly RealtimeEvent[]) {
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

export const detecting = defaultConfig('whisper-1');
export const manual: RealtimeConfig = { ...detecting, turnDetection: null };

export const audio = (seconds: number): RealtimeEvent => ({
  ...{ kind: 'audio', pcm: new Int16Array(seconds * second), eventId: null },
});
export const client = (message: Readonly<Record<string, unknown>>): RealtimeEvent => {
  const event = readClientEvent(message);
  if (event.kind === 'append') throw new Error('audio is decoded first');
  return { kind: 'client', event, eventId: 'mine' };
};
export const commit = client({ type: 'input_audio_buffer.commit' });
export const clear = client({ type: 'input_audio_buffer.clear' });
export const detected = (hops: number, probability: number): RealtimeEvent => ({
  kind: 'detected',
  probabilities: new Float32Array(hops).fill(probability),
});
export const typesOf = (effects: readonly RealtimeEffect[]): readonly string[] =>
  effects.map((effect) => {
    if (effect.do !== 'send') return effect.do;
    return (effect.message as { readonly type: string }).type;
  });
export const messages = (effects: readonly RealtimeEffect[]): readonly any[] =>
  effects.flatMap((effect) => (effect.do === 'send' ? [effect.message] : []));
