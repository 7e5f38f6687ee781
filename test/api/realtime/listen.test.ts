// What the messages of a Realtime session cost: only audio is free.
import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import test from 'ava';
import type { WebSocket } from 'ws';
import { createAudioInput } from '../../../api/realtime/audio-input.ts';
import type { InputFormat } from '../../../api/realtime/audio-input.ts';
import { listen } from '../../../api/realtime/listen.ts';
import { readMessage } from '../../../api/realtime/read-message.ts';
import { createCharging } from '../../../api/streams/charging.ts';
import { createMessageQuota } from '../../../api/streams/protocols/message-quota.ts';
import type { RealtimeEvent } from '../../../api/realtime/session-state.ts';
import type { StreamFailure } from '../../../api/streams/protocols/protocol.ts';
import { fakeClock } from '../../support/fake-clock.ts';

class FakeSocket extends EventEmitter {
  isPaused = false;
  pause(): void {
    this.isPaused = true;
  }
  terminate(): void {}
}

/** @returns how many of these messages are heard before the session ends */
async function heard(
  messages: number,
  message: object,
  format: InputFormat = 'pcm16',
): Promise<number> {
  const socket = new FakeSocket();
  const input = createAudioInput(format);
  const data = Buffer.from(JSON.stringify(message));
  let events = 0;
  let failures = 0;
  const { isReading } = listen(socket as unknown as WebSocket, {
    charging: createCharging(),
    read: (text) => readMessage(text, input),
    onEvent() {
      events += 1;
      socket.isPaused = isReading();
    },
    fail: () => void (failures += 1),
  });
  for (let i = 0; i < messages; i += 1) {
    socket.emit('message', data, false);
    while (isReading()) await nextTurn();
  }
  socket.emit('close');
  return failures > 0 || socket.isPaused ? events : Infinity;
}

const padding = 'x'.repeat(400);
const append = (bytes: number): object => ({
  type: 'input_audio_buffer.append',
  audio: Buffer.alloc(bytes).toString('base64'),
});

for (const [name, message] of Object.entries({
  'other events': { type: 'input_audio_buffer.clear', event_id: padding },
  'events that are refused': { type: padding },
  'audio that is none': { type: 'input_audio_buffer.append', audio: `${padding}!` },
  'empty audio': { ...append(0), event_id: padding },
})) {
  test(`long messages cost what short ones do: ${name}`, async (t) => {
    t.true((await heard(2_000, message)) <= 1_100);
  });
}

test('each 32 KiB of a text cost the same, the longest of the other streams', (t) => {
  const within = (bytes: number): number => {
    const quota = createMessageQuota(() => 0);
    let messages = 0;
    while (quota.take('control', bytes)) messages += 1;
    return messages;
  };
  t.deepEqual([0, 32_768, 32_769, 524_288].map(within), [128, 128, 64, 8]);
});

test('audio of 5 ms and more is free in every format, however long its message', async (t) => {
  t.is(await heard(20_000, append(240)), Infinity);
  t.is(await heard(20_000, append(40), 'g711_ulaw'), Infinity);
  t.is(await heard(300, append(240_000)), Infinity);
});

test('a long append gives way to other work, and what follows sees all of it', async (t) => {
  const socket = new FakeSocket();
  const input = createAudioInput('g711_ulaw');
  const events: RealtimeEvent[] = [];
  const { isReading } = listen(socket as unknown as WebSocket, {
    charging: createCharging(),
    read: (text) => readMessage(text, input),
    onEvent: (event) => void events.push(event),
    fail: (failure) => t.fail(failure.message),
  });
  const seconds = 48;
  const commit = { type: 'input_audio_buffer.commit' };
  const messages = [append(8_000 * seconds), commit, append(16_000), append(160), commit];
  for (const message of messages) {
    socket.emit('message', Buffer.from(JSON.stringify(message)), false);
  }
  t.true(socket.isPaused, 'more of it waits in the connection');
  let turns = 0;
  for (; events.length < messages.length && turns < 1_000; turns += 1) await nextTurn();
  t.true(turns > seconds, `${turns} turns of the loop`);
  const heard = events.map((event) => (event.kind === 'audio' ? event.pcm.length : event.kind));
  t.deepEqual(heard, [16_000 * seconds, 'client', 32_000, 320, 'client']);
  t.false(isReading());
  socket.emit('close');
});

test('a flood of long messages is not said to be one of small ones', (t) => {
  const { socket, failures } = listened();
  const data = Buffer.from(JSON.stringify({ type: 'x'.repeat(65_536) }));
  for (let i = 0; i < 100; i += 1) socket.emit('message', data, false);
  t.is(failures.length, 1);
  t.regex(failures[0]!.message, /^Too many messages;/);
  socket.emit('close');
});

/** A session under a mocked clock. @returns how it was ended, and its socket */
function listened() {
  const socket = new FakeSocket();
  const failures: StreamFailure[] = [];
  const input = createAudioInput('pcm16');
  listen(socket as unknown as WebSocket, {
    charging: createCharging(),
    read: (text) => readMessage(text, input),
    onEvent: () => {},
    fail: (failure) => void failures.push(failure),
  });
  return { socket, failures };
}

const expired = { code: 'session_expired', close: 4408 };

test.serial('a session without a message ends after five minutes', (t) => {
  const tick = fakeClock(t);
  const { failures } = listened();
  tick(299_999);
  t.deepEqual(failures, []);
  tick(1);
  t.like(failures, [expired]);
});

test.serial('a session with messages ends after an hour', (t) => {
  const tick = fakeClock(t);
  const { socket, failures } = listened();
  for (let minute = 1; minute < 60; minute += 1) {
    tick(60_000);
    socket.emit('message', Buffer.from(JSON.stringify(append(240))), false);
  }
  tick(59_999);
  t.deepEqual(failures, []);
  tick(1);
  t.like(failures, [expired]);
});
