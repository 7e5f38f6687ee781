// The well-behaved organization: one clip or stream of 2 s after the other, on connections of their
// own.
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../bench/ratio.ts';
import type { Target } from './attack.ts';
import { openSocket } from './sockets.ts';

const pauseMs = 100;
/** A caller that waits longer has been starved. */
const timeoutMs = 30_000;
const frameSamples = 1_600;

export interface Latencies {
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly worstMs: number;
  /** Answers that were not 200, and closes that were not 1000; 0 for none at all. */
  readonly failures: readonly number[];
}

/** What the organization sends. */
export interface Sent {
  /** A whole multipart body with the boundary `clip`. */
  readonly form: Buffer;
  /** PCM16 at 16 kHz. */
  readonly pcm: Int16Array;
}

export async function callInTurn(
  target: Target,
  { form, pcm }: Sent,
  { calls, victim }: { readonly calls: number; readonly victim: 'clip' | 'stream' },
): Promise<Latencies> {
  const times: number[] = [];
  const failures: number[] = [];
  const [ask, right] =
    victim === 'clip'
      ? ([() => post(target, form), 200] as const)
      : ([() => stream(target, pcm), 1_000] as const);
  for (let call = 0; call < calls; call += 1) {
    const startedAt = performance.now();
    const answer = await ask();
    times.push(performance.now() - startedAt);
    if (answer !== right) failures.push(answer);
    await sleep(pauseMs);
  }
  const [p50Ms, p95Ms, worstMs] = [0.5, 0.95, 1].map((share) => quantile(times, share));
  return { p50Ms: p50Ms!, p95Ms: p95Ms!, worstMs: worstMs!, failures };
}

function post({ base, key }: Target, form: Buffer): Promise<number> {
  return new Promise((resolve) => {
    const headers = {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'multipart/form-data; boundary=clip',
      'Content-Length': form.length,
    };
    const url = `${base}/v1/audio/transcriptions`;
    const options = { method: 'POST', headers, agent: new Agent(), timeout: timeoutMs };
    const sent = request(url, options, (response) => {
      response.resume();
      response.once('close', () => resolve(response.statusCode ?? 0));
    });
    sent.once('timeout', () => sent.destroy());
    sent.once('error', () => resolve(0));
    sent.end(form);
  });
}

/** From the upgrade to the close behind the result. @returns the code of the close */
function stream(target: Target, pcm: Int16Array): Promise<number> {
  const socket = openSocket(target, 'lite');
  socket.once('open', () => {
    for (let at = 0; at < pcm.length; at += frameSamples) {
      socket.send(pcm.subarray(at, at + frameSamples));
    }
    socket.send('{"type":"commit"}');
  });
  const late = setTimeout(() => socket.terminate(), timeoutMs);
  return new Promise((resolve) => {
    socket.once('close', (code) => {
      clearTimeout(late);
      resolve(code);
    });
  });
}

/** A form that holds one WAV. */
export function clipForm(wav: Buffer): Buffer {
  const head = 'Content-Disposition: form-data; name="file"; filename="clip.wav"';
  return Buffer.concat([
    Buffer.from(`--clip\r\n${head}\r\n\r\n`),
    wav,
    Buffer.from('\r\n--clip--\r\n'),
  ]);
}
