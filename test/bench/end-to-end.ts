// Ratios 1 and 5: the service against the same inference in a bare loop on as many processes.
import { planChunks } from '../../models/analysis/plan/chunk-plan.ts';
import { sampleRate } from '../../models/audio/sample-rate.ts';
import type { ChunkRequest } from '../../models/inference/jobs.ts';
import { findSpeechRegions } from '../../models/vad/speech-regions.ts';
import { streamVoiceActivity } from '../../models/analysis/voice-activity.ts';
import { defaultModel, liteModel } from '../../models/contract/served-models.ts';
import { readPcm, telephonePrompts } from '../eval/speech-data.ts';
import { encode, speech, toWav } from '../support/speech.ts';
import { transcribe, type TestStack } from '../support/stack.ts';
import type { ReferencePool } from './reference-pool.ts';
import { measureRatio, milliseconds, quantile, type Ratio } from './ratio.ts';
import { longCall } from './recordings.ts';

type BarePool = Omit<ReferencePool, 'close'>;

const clipSamples = 2 * sampleRate;
/** One of so many prompts: some forty that are long enough. */
const promptStep = 6;

export const words: ChunkRequest = {
  words: true,
  language: 'en',
  text: false,
  head: null,
  spans: [],
};

/**
 * Voice activity, chunks and their analysis without anything around them.
 * @param requestOf the analysis of a chunk of so many seconds; absent: its words
 */
export async function bareLoop(
  pool: BarePool,
  pcm: Int16Array,
  requestOf: (seconds: number) => ChunkRequest = () => words,
): Promise<void> {
  const job = { organizationId: 'bench', priority: 1 } as const;
  const activity = streamVoiceActivity(pool, job);
  await activity.write(pcm);
  const probabilities = await activity.end();
  const chunks = planChunks(findSpeechRegions(probabilities), probabilities, pcm.length);
  await Promise.all(
    chunks.map(({ startSample, endSample }) => {
      const request = requestOf((endSample - startSample) / sampleRate);
      return pool.analyze(pcm.slice(startSample, endSample), request, job);
    }),
  );
}

/** Ratio 1: a whole call over HTTP / the bare loop, a chunk at a time. */
export async function measureCall(
  stack: TestStack,
  pool: BarePool,
  { minutes, rounds, gate }: { minutes: number; rounds: number; gate: string },
): Promise<Ratio> {
  const pcm = await longCall(minutes);
  const file = await encode(toWav(pcm), 'mp3', ['-b:a', '48k']);
  return measureRatio({
    name: `1: ${minutes} min call, HTTP / bare loop`,
    gate,
    rounds,
    warmUpRounds: 1,
    a: () => succeed(stack, file),
    b: () => bareLoop(pool, pcm),
  });
}

/** What the calls of ratio 5 are compared with. */
export interface DirectCalls {
  /** The service's own inference. */
  readonly pool: BarePool;
  /** The inference of when the gates were set. */
  readonly yardstick: BarePool;
}

/**
 * Ratio 5: 2 s clips over HTTP (median and p95) / the median of the direct call. The lite model
 * reads once, with Moonshine alone, as the direct call does; the default one reads unsure speech
 * again.
 */
export async function measureClip(
  stack: TestStack,
  direct: DirectCalls,
  calls: number,
): Promise<readonly Ratio[]> {
  const spoken = await speech('Please hold the line for a moment.');
  const prompts = await promptClips();
  const sets = [
    // A synthetic voice, which is read a second time: the yardstick of every version.
    { name: '2 s clip', clips: [spoken] },
    { name: `${prompts.length} telephone prompts of 2 s`, clips: prompts },
  ].filter(({ clips }) => clips.length > 0);
  const rows: Ratio[] = [];
  for (const model of [defaultModel, liteModel]) {
    for (const set of sets) rows.push(...(await clipRows(stack, direct, { ...set, model, calls })));
  }
  return rows;
}

/** Prompts of at least that length, spread over the set. */
async function promptClips(): Promise<readonly Int16Array[]> {
  const prompts = await telephonePrompts();
  const clips: Int16Array[] = [];
  for (const { path } of prompts.filter((_, i) => i % promptStep === 0)) {
    const pcm = await readPcm(path);
    if (pcm.length >= clipSamples) clips.push(pcm);
  }
  return clips;
}

interface Clips {
  readonly name: string;
  /** Of 2 s and more, of which the first 2 s are sent. */
  readonly clips: readonly Int16Array[];
  readonly model: string;
  readonly calls: number;
}

async function clipRows(
  stack: TestStack,
  { pool, yardstick }: DirectCalls,
  { name, clips, model, calls }: Clips,
): Promise<readonly Ratio[]> {
  const sent = clips.map((clip) => clip.slice(0, clipSamples));
  const http: number[] = [];
  const direct: number[] = [];
  const before: number[] = [];
  for (let call = -10; call < calls; call += 1) {
    const pcm = sent[(call + 10) % sent.length]!;
    const file = toWav(pcm);
    const startedAt = performance.now();
    await succeed(stack, file, model);
    const answeredAt = performance.now();
    const directMs = await milliseconds(() => bareLoop(pool, pcm));
    const beforeMs = await milliseconds(() => bareLoop(yardstick, pcm));
    if (call < 0) continue;
    http.push(answeredAt - startedAt);
    direct.push(directMs);
    before.push(beforeMs);
  }
  const suffix = model === defaultModel ? '' : `, ${model}`;
  const row = (share: number, [to, of]: readonly [string, number[]], gate: string): Ratio => {
    const [aMs, bMs] = [quantile(http, share), quantile(of, 0.5)];
    const title = `5: ${name}${suffix}, HTTP p${share * 100} / ${to} p50`;
    return { name: title, aMs, bMs, ratio: aMs / bMs, gate, rounds: calls };
  };
  return [
    row(0.5, ['direct', direct], '<= 2.5'),
    row(0.95, ['direct', direct], '<= 4'),
    row(0.5, ['yardstick', before], '<= 1.6'),
    row(0.95, ['yardstick', before], '<= 2.2'),
  ];
}

/** Transcribes over HTTP. @throws Error for every answer but 200 */
export async function succeed(
  stack: TestStack,
  file: Buffer,
  model: string = defaultModel,
): Promise<void> {
  const { status, body } = await transcribe(stack, file, { fields: { model } });
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
}
