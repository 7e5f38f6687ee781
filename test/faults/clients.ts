// Well-behaved clients: they send recordings, wait as long as they are asked to, and repeat the
// same id until it has a final answer.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { joinSamples } from '../../models/audio/samples.ts';
import { createRandom, type Random } from '../support/random.ts';
import { beyondClip, noise, sampleRate, speech, tone, toWav } from '../support/speech.ts';
import type { History } from './history.ts';
import { sendRecorded } from './send.ts';

export interface Recording {
  readonly file: Buffer;
  readonly seconds: number;
  readonly model: string;
  /** Without speech, so that it costs next to nothing. */
  readonly quiet: boolean;
}

/** Short and long, with and without speech, for two models: the same in every run. */
export async function loadRecordings(): Promise<readonly Recording[]> {
  const [first, second] = await Promise.all([
    speech('Please call me back tomorrow morning.'),
    speech('Thank you for calling, how can I help you today?', { voice: 'rms' }),
  ]);
  const said = joinSamples([first, noise(0.5), second]);
  // Longer than a clip: several activities, and objects between them.
  const call = beyondClip(joinSamples([said, tone(300, 14), first, tone(500, 12), second]));
  const quiet = Array.from({ length: 3 }, (_, i) => tone(300 + 140 * i, 0.7 + 0.6 * i));
  const recordings: readonly (readonly [Int16Array, string])[] = [
    [first, 'svc-resonance'],
    [second, 'svc-fourier'],
    [said, 'svc-spectra-2'],
    ...quiet.map((pcm) => [pcm, 'svc-resonance'] as const),
    [noise(2.2), 'svc-spectra-2'],
    [call, 'svc-resonance'],
  ];
  return recordings.map(([pcm, model]) => ({
    file: toWav(pcm),
    seconds: pcm.length / sampleRate,
    model,
    quiet: quiet.includes(pcm),
  }));
}

export interface LoadOptions {
  /** The address to send to, read for every call so that a process may be replaced. */
  readonly bases: () => readonly string[];
  readonly key: string;
  readonly history: History;
  readonly recordings: readonly Recording[];
  readonly clients: number;
  readonly seed: number;
  /** Between the requests of a client, at most. */
  readonly pauseMs: number;
}

export interface Load {
  /** What was sent under each id. */
  readonly sent: ReadonlyMap<string, Recording>;
  /** Sends no new requests; resolves when each one has its final answer. */
  stop(): Promise<void>;
}

/** Beside the waiting clients, a new one arrives at this rate, until so many are waiting. */
const arrivalMs = 800;
const maxArrived = 40;

/** A client that is asked to wait gives up after so many calls for one id. */
const maxCalls = 60;
/** The same limit once the load has been stopped. */
const maxLateCalls = 12;
const inProgressMs = 1_000;
const longestWaitMs = 5_000;

export function startLoad(options: LoadOptions): Load {
  const sent = new Map<string, Recording>();
  let stopped = false;
  const quiet = options.recordings.filter((each) => each.quiet);
  const send = async (random: Random, among: readonly Recording[]): Promise<void> => {
    const recording = among[Math.floor(random() * among.length)]!;
    const id = randomUUID();
    sent.set(id, recording);
    await untilEnd(options, { id, recording, random, stopped: () => stopped });
  };
  const running = Array.from({ length: options.clients }, async (_, i) => {
    const random = createRandom(options.seed + i);
    while (!stopped) {
      await send(random, options.recordings);
      await sleep(random() * options.pauseMs);
    }
  });
  const arrived = new Set<Promise<void>>();
  const random = createRandom(options.seed - 1);
  const arrivals = setInterval(() => {
    if (arrived.size >= maxArrived) return;
    const ended = send(random, quiet).finally(() => arrived.delete(ended));
    arrived.add(ended);
  }, arrivalMs);
  return {
    sent,
    stop: async () => {
      stopped = true;
      clearInterval(arrivals);
      await Promise.all([...running, ...arrived]);
    },
  };
}

interface Logical {
  readonly id: string;
  readonly recording: Recording;
  readonly random: Random;
  readonly stopped: () => boolean;
}

async function untilEnd(
  { bases, key, history }: LoadOptions,
  { id, recording, random, stopped }: Logical,
): Promise<void> {
  const { file, model } = recording;
  let late = 0;
  for (let call = 0; call < maxCalls && late < maxLateCalls; call += 1) {
    if (stopped()) late += 1;
    const all = bases();
    const base = all[Math.floor(random() * all.length)]!;
    const { operation, retryAfterSeconds } = await sendRecorded(
      base,
      { key, id, file, model },
      history,
    );
    const { answer } = operation;
    if (!/^(cut off|429|5\d\d|409 request_in_progress)/.test(answer)) return;
    // Spectra-2 uses the id up when the model is busy.
    if (answer === '429 model_busy') return;
    const requested = retryAfterSeconds * 1_000 || inProgressMs;
    await sleep(Math.min(requested, longestWaitMs) * (0.8 + 0.4 * random()));
  }
}
