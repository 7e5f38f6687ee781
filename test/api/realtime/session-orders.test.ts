// A Realtime session under any order of events: every turn ends once, in order, nothing throws.
import test from 'ava';
import fc from 'fast-check';
import type { RealtimeEffect, RealtimeEvent } from '../../../api/realtime/session-state.ts';
import {
  play,
  detecting,
  manual,
  audio,
  client,
  commit,
  clear,
  detected,
} from '../../support/realtime-events.ts';

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
