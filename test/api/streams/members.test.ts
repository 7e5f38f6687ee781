// Members that messages of the Spectra-2 stream do not have end it, whenever they come.
import test from 'ava';
import { closeCodes } from '../../../api/streams/protocols/protocol.ts';
import {
  openSpectra,
  stepSpectra,
  type SpectraAdmitted,
} from '../../../api/streams/protocols/spectra.ts';

const opened = openSpectra({
  ...{ ticket: null, headerRequestId: null, answerId: 'r1' },
  vocabulary: 'unknown',
});
const say = (state: typeof opened, message: object) =>
  stepSpectra(state, { kind: 'text', text: JSON.stringify(message) });
const start = { type: 'start', model: 'svc-spectra-2', task: 'analysis' };
const admitting = say(opened, start).state;
const admitted: SpectraAdmitted = {
  ...{ requestId: 'r1', maxAudioSeconds: 2, expiresAtMs: null },
  task: 'analysis',
};
const recording = stepSpectra(admitting, { kind: 'admitted', admitted }).state;
const finishing = say(
  stepSpectra(recording, { kind: 'binary', data: new Uint8Array(2_000) }).state,
  { type: 'finish' },
).state;

test('start, finish and cancel with another member are errors that name it', (t) => {
  for (const [state, message, taken] of [
    [opened, { ...start, vocabulary: [] }, 'type, model, task, request_id'],
    [opened, { type: 'finish', more: 1 }, 'type'],
    [recording, { type: 'finish', more: 1 }, 'type'],
    [opened, { type: 'cancel', more: 1 }, 'type'],
    [admitting, { type: 'cancel', more: 1 }, 'type'],
    [recording, { type: 'cancel', more: 1 }, 'type'],
    [finishing, { type: 'cancel', more: 1 }, 'type'],
  ] as const) {
    const { effects } = say(state, message);
    const param = 'vocabulary' in message ? 'vocabulary' : 'more';
    const told = `\`${param}\` is not a member of this message; it takes ${taken}.`;
    const error = { code: 'unknown_field', message: told, param, request_id: 'r1' };
    t.deepEqual(
      effects,
      [
        { do: 'abandon', fault: 'client' },
        { do: 'send', message: { type: 'error', error } },
        { do: 'close', code: closeCodes.policy },
      ],
      `${state.phase} ${message.type}`,
    );
  }
});

test('a cancellation ends the stream without an error, before and after its start', (t) => {
  for (const state of [opened, admitting, recording, finishing]) {
    const { state: after, effects } = say(state, { type: 'cancel' });
    t.deepEqual(
      effects,
      [
        { do: 'abandon', fault: 'client' },
        { do: 'close', code: closeCodes.done },
      ],
      state.phase,
    );
    t.is(after.phase, 'closed');
  }
});
