// Streams a mono 16 kHz 16-bit WAV to the lite model with the key itself and prints the result.
// npm install ws; with Node 22.18 or later, which reads TypeScript:
// SVC_API_KEY=... node lite.ts call.wav [http://127.0.0.1:8080]
import { readFileSync } from 'node:fs';
import { WebSocket } from 'ws';

const [path = '', base = 'http://127.0.0.1:8080'] = process.argv.slice(2);
const wav = readFileSync(path);
const audio = wav.subarray(wav.indexOf('data') + 8);
const frameBytes = 32_000;

const url = `${base.replace('http', 'ws')}/v1/audio/transcriptions/stream`;
const headers = { Authorization: `Bearer ${process.env.SVC_API_KEY}` };
const socket = new WebSocket(url, ['svceet.pcm.v1'], { headers });
const commit = (): void => socket.send(JSON.stringify({ type: 'commit' }));
socket.on('message', (data: Buffer) => {
  const message = JSON.parse(data.toString());
  if (message.type === 'ready') {
    for (let at = 0; at < audio.length; at += frameBytes) {
      socket.send(audio.subarray(at, at + frameBytes));
    }
    commit();
  } else if (message.code === 'capacity') setTimeout(commit, message.retry_after_ms);
  else console.log(JSON.stringify(message));
});
