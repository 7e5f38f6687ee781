// The WebSockets of the catalog and of the callers.
import { WebSocket } from 'ws';
import type { Target } from './attack.ts';

const paths = {
  spectra: { path: '/v1/audio/spectra-2/stream', protocols: ['svc.spectra2.v1'] },
  lite: { path: '/v1/audio/transcriptions/stream', protocols: ['svceet.pcm.v1'] },
  realtime: { path: '/openai/v1/realtime?intent=transcription', protocols: [] },
} as const;

/** @param token opens the socket in place of the key */
export function openSocket(
  { base, key }: Target,
  kind: keyof typeof paths,
  token?: string,
): WebSocket {
  const { path, protocols } = paths[kind];
  const headers = token === undefined ? { Authorization: `Bearer ${key}` } : {};
  const offered = token === undefined ? [...protocols] : [...protocols, `auth.${token}`];
  const socket = new WebSocket(base.replace('http', 'ws') + path, offered, { headers });
  socket.on('error', () => {});
  return socket;
}

/** Resolves when the socket is open, and rejects when it was rejected. */
export async function opened(socket: WebSocket): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('close', () => reject(new Error('rejected')));
  });
}

/** Opens a socket, sends until the signal or its close, and leaves none behind. */
export async function whileOpen(
  socket: WebSocket,
  signal: AbortSignal,
  send: () => Promise<void>,
): Promise<void> {
  const end = (): void => socket.terminate();
  signal.addEventListener('abort', end);
  try {
    await opened(socket);
    await send();
  } finally {
    signal.removeEventListener('abort', end);
    socket.terminate();
  }
}
