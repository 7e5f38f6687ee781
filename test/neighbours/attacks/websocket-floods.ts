// WebSockets: many silent ones, and floods of frames that cost nothing to send.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { requestJson, storm, type Attack, type Target } from '../attack.ts';
import { opened, openSocket, whileOpen } from '../sockets.ts';

const hoard = 600;
const floodFrames = 20_000;
/** Half a second of PCM16 at 16 kHz. */
const noise = randomBytes(16_000);

async function flood(
  target: Target,
  kind: 'spectra' | 'lite',
  { frame, signal }: { readonly frame: string | Buffer; readonly signal: AbortSignal },
): Promise<void> {
  const socket = openSocket(target, kind);
  await whileOpen(socket, signal, async () => {
    for (let i = 0; i < floodFrames && socket.readyState === WebSocket.OPEN; i += 1) {
      socket.send(frame);
      if (i % 2_000 === 0) await sleep(0);
    }
    await sleep(200);
  });
}

/** Half a second of noise, from the upgrade to the close that answers it. */
async function sendShort(socket: WebSocket, signal: AbortSignal): Promise<void> {
  await opened(socket);
  socket.send(noise);
  socket.send('{"type":"commit"}');
  await once(socket, 'close', { signal });
}

export const socketAttacks: readonly Attack[] = [
  {
    name: 'socket-hoard',
    does: '600 Spectra-2 sockets that are opened and say nothing',
    async run(target, signal) {
      const sockets = new Set<WebSocket>();
      signal.addEventListener('abort', () => {
        for (const socket of sockets) socket.terminate();
      });
      while (!signal.aborted) {
        while (sockets.size < hoard) {
          const socket = openSocket(target, 'spectra');
          sockets.add(socket);
          socket.on('close', () => sockets.delete(socket));
        }
        await sleep(500);
      }
    },
  },
  {
    name: 'left-streams',
    does: 'lite sockets that are opened and left, eight at a time',
    run: (target, signal) =>
      storm(8, signal, async () => {
        const socket = openSocket(target, 'lite');
        await opened(socket);
        socket.terminate();
      }),
  },
  {
    name: 'frame-floods',
    does: 'lite sockets with 20,000 empty text frames each, eight at a time',
    run: (target, signal) => storm(8, signal, () => flood(target, 'lite', { frame: '', signal })),
  },
  {
    name: 'ping-floods',
    does: 'lite sockets with 20,000 pings each, eight at a time',
    run: (target, signal) =>
      storm(8, signal, () => flood(target, 'lite', { frame: '{"type":"ping"}', signal })),
  },
  {
    name: 'sample-floods',
    does: 'Spectra-2 sockets with 20,000 frames of one sample each, eight at a time',
    run: (target, signal) =>
      storm(8, signal, () => flood(target, 'spectra', { frame: Buffer.alloc(2), signal })),
  },
  {
    name: 'short-streams',
    does: 'lite sockets with half a second of noise each, sixteen at a time',
    run: (target, signal) => storm(16, signal, () => sendShort(openSocket(target, 'lite'), signal)),
  },
  {
    name: 'short-streams-by-token',
    does: 'the same, each opened with a client token of its own',
    run: (target, signal) =>
      storm(16, signal, async () => {
        const { token } = await requestJson(target, '/v1/client-token', { signal });
        await sendShort(openSocket(target, 'lite', String(token)), signal);
      }),
  },
];
