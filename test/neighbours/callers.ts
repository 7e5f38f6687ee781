// The well-behaved organization: one 2 s clip after the other, each on a connection of its own.
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../bench/ratio.ts';
import type { Target } from './attack.ts';

const pauseMs = 100;
/** A caller that waits longer has been starved. */
const timeoutMs = 30_000;

export interface Latencies {
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly worstMs: number;
  /** Answers that were not 200, by status; 0 for none at all. */
  readonly failures: readonly number[];
}

/** @param form a whole multipart body with the boundary `clip` */
export async function callInTurn(
  target: Target,
  { form, calls }: { readonly form: Buffer; readonly calls: number },
): Promise<Latencies> {
  const times: number[] = [];
  const failures: number[] = [];
  for (let call = 0; call < calls; call += 1) {
    const startedAt = performance.now();
    const status = await post(target, form);
    times.push(performance.now() - startedAt);
    if (status !== 200) failures.push(status);
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

/** A form that holds one WAV. */
export function clipForm(wav: Buffer): Buffer {
  const head = 'Content-Disposition: form-data; name="file"; filename="clip.wav"';
  return Buffer.concat([
    Buffer.from(`--clip\r\n${head}\r\n\r\n`),
    wav,
    Buffer.from('\r\n--clip--\r\n'),
  ]);
}
