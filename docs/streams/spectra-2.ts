// Streams a mono 16 kHz 16-bit WAV to Spectra-2 and prints the result, through a prepared session.
// npm install ws; with Node 22.18 or later, which reads TypeScript:
// SVC_API_KEY=... node spectra-2.ts call.wav [http://127.0.0.1:8080]
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { WebSocket } from 'ws';

const [path = '', base = 'http://127.0.0.1:8080'] = process.argv.slice(2);
const wav = readFileSync(path);
const audio = wav.subarray(wav.indexOf('data') + 8);
const frameBytes = 32_000;

async function post(endpoint: string, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(base + endpoint, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: {
      Authorization: `Bearer ${process.env.SVC_API_KEY}`,
      'Content-Type': 'application/json',
      ...headers,
    },
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(answer);
  return JSON.parse(answer);
}

// Before the recording begins: nothing is inferred yet, and its seconds are set aside.
const model = 'svc-spectra-2';
const session = await post('/v1/audio/sessions', { model, id: randomUUID() });
const stream = await post(
  '/v1/audio/stream-sessions',
  { model, task: 'analysis' },
  { 'X-Svc-Session': session.token, 'X-Request-ID': session.request_ids[0] },
);

const socket = new WebSocket(stream.url, [stream.protocol, stream.ticket]);
socket.on('open', () => socket.send(JSON.stringify({ type: 'start', model, task: 'analysis' })));
socket.on('message', (data: Buffer) => {
  const message = JSON.parse(data.toString());
  if (message.type === 'ready') {
    for (let at = 0; at < audio.length; at += frameBytes) {
      socket.send(audio.subarray(at, at + frameBytes));
    }
    socket.send(JSON.stringify({ type: 'finish' }));
  } else console.log(JSON.stringify(message));
});
