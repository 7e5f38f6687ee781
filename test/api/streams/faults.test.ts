// Whose doing the end of a stream is, which decides about its charge and its id.
import test from 'ava';
import { failureEvent, openRealtime, stepRealtime } from '../../../api/realtime/session.ts';
import { openLite, stepLite } from '../../../api/streams/protocols/lite.ts';
import {
  cancelledFailure,
  floodFailure,
  revokedKeyFailure,
  stoppingFailure,
  suspendedFailure,
  type StreamFailure,
} from '../../../api/streams/protocols/protocol.ts';
import { openSpectra, stepSpectra } from '../../../api/streams/protocols/spectra.ts';
import type { SpectraContext } from '../../../api/streams/protocols/spectra-start.ts';
import { manual, opening } from '../../support/realtime-events.ts';

const context: SpectraContext = {
  ...{ ticket: null, headerRequestId: null, answerId: 'answer' },
  vocabulary: 'unknown',
};

test('a suspension or a revoked key is the doing of an operator, whatever the close code', (t) => {
  const faultsOf = (failed: StreamFailure): unknown[] => {
    const event = { kind: 'failed', failure: failed } as const;
    return [
      ...stepLite(openLite('unknown').state, event).effects,
      ...stepSpectra(openSpectra(context), event).effects,
      ...stepRealtime(openRealtime({ ...opening, config: manual }).state, failureEvent(failed))
        .effects,
    ].flatMap((effect) => (effect.do === 'abandon' ? [effect.fault] : []));
  };
  for (const [failed, fault] of [
    [suspendedFailure, 'operator'],
    [revokedKeyFailure, 'operator'],
    [stoppingFailure, 'exchange'],
    [cancelledFailure, 'service'],
    [floodFailure, 'client'],
  ] as const) {
    t.deepEqual(faultsOf(failed), [fault, fault, fault], failed.message);
  }
});
