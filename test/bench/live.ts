// How soon a word is seen after it was spoken: real speech in real time over the live streams.
import { setTimeout as sleep } from 'node:timers/promises';
import { bareWord, type Word } from '../../models/asr/transcript.ts';
import { sampleRate } from '../../models/audio/sample-rate.ts';
import { joinSamples } from '../../models/audio/samples.ts';
import { spectraModel } from '../../models/contract/served-models.ts';
import { liveSubprotocols, streamPaths } from '../../models/contract/streams.ts';
import type { InferencePool } from '../../models/inference/jobs.ts';
import { chunksOf, recogniseWords } from '../eval/chunked-recognition.ts';
import { readPcm, telephonePrompts } from '../eval/speech-data.ts';
import { openSocket } from '../support/sockets.ts';
import { silence } from '../support/speech.ts';
import type { TestStack } from '../support/stack.ts';
import { quantile } from './ratio.ts';

const frameMs = 40;
const recordingSeconds = 30;
/** A recognised word is the same as a reference word that begins within this of it. */
const sameWordSeconds = 0.4;

type Stream = keyof typeof liveSubprotocols;

export interface LiveLatency {
  readonly stream: Stream;
  readonly streams: number;
  readonly words: number;
  /** Share of the words of the whole clip that interim text had before the end. */
  readonly shown: number;
  /** From the end of a word to its first appearance, of the words that appeared. */
  readonly p50Ms: number;
  readonly p95Ms: number;
  /** The same to the message that made it stable. */
  readonly stableP50Ms: number;
  readonly stableP95Ms: number;
  /** Recordings whose final text took back a stable word. */
  readonly revised: number;
}

/**
 * Each stream sends other prompts of the same speaker, read to people on the telephone. Those of
 * every other recording are left out: what was tuned was tuned on them.
 */
export async function measureLive(
  stack: TestStack,
  pool: InferencePool,
  { stream, streams }: { stream: Stream; streams: number },
): Promise<LiveLatency> {
  const recordings = await promptRecordings(2 * streams);
  const chosen = recordings.filter((_, i) => i % 2 === 1);
  const heard = await Promise.all(
    chosen.map(async (pcm, i) => {
      const words = await recogniseWords(pool, await chunksOf(pool, pcm), 'en');
      // Streams do not begin in the same instant.
      await sleep(i * 170);
      return { words, ...(await listen(stack, stream, pcm)) };
    }),
  );
  const all = heard.flatMap(({ words, shown }) => words.map((word) => delays(word, shown)));
  const ms = (kind: 'seenMs' | 'stableMs', share: number): number =>
    Math.round(
      quantile(
        all.flatMap((each) => each[kind] ?? []),
        share,
      ),
    );
  return {
    ...{ stream, streams, words: all.length },
    shown: all.filter(({ seenMs }) => seenMs !== null).length / all.length,
    ...{ p50Ms: ms('seenMs', 0.5), p95Ms: ms('seenMs', 0.95) },
    ...{ stableP50Ms: ms('stableMs', 0.5), stableP95Ms: ms('stableMs', 0.95) },
    revised: heard.filter(({ isRevised }) => isRevised).length,
  };
}

/** Prompts of several words with pauses between them, joined to recordings of half a minute. */
async function promptRecordings(count: number): Promise<readonly Int16Array[]> {
  const sentences = (await telephonePrompts()).filter(({ text }) => text.split(' ').length >= 5);
  const recordings: Int16Array[] = [];
  let parts: Int16Array[] = [];
  for (const { path } of sentences) {
    if (recordings.length === count) break;
    parts.push(await readPcm(path), silence(0.5));
    const joined = joinSamples(parts);
    if (joined.length < recordingSeconds * sampleRate) continue;
    recordings.push(joined.slice(0, 40 * sampleRate));
    parts = [];
  }
  if (recordings.length < count) throw new Error('SPEECH_DATA_DIR has not enough prompts');
  return recordings;
}

interface ShownWord {
  readonly word: string;
  readonly start: number;
  /** Since the first sample was spoken. */
  readonly atMs: number;
  readonly isStable: boolean;
}

interface Heard {
  readonly shown: readonly ShownWord[];
  readonly isRevised: boolean;
}

/** Sends a recording in real time: each frame when its last sample has been spoken. */
async function listen(
  { base, account }: TestStack,
  stream: Stream,
  pcm: Int16Array,
): Promise<Heard> {
  const protocols = [liveSubprotocols[stream]];
  const opened = openSocket(base, streamPaths[stream], {
    ...{ protocols, key: account.key },
  });
  if (stream === 'spectra') {
    const start = { type: 'start', model: spectraModel, task: 'analysis' };
    opened.socket.once('open', () => opened.send(start));
  }
  await opened.message('ready');
  const startedAt = performance.now();
  const shown: ShownWord[] = [];
  opened.socket.on('message', (data) => {
    const { type, stable, tail } = JSON.parse((data as Buffer).toString()) as Interim;
    if (type !== 'interim') return;
    const atMs = performance.now() - startedAt;
    shown.push(...stable.map((word) => ({ ...word, atMs, isStable: true })));
    shown.push(...tail.map((word) => ({ ...word, atMs, isStable: false })));
  });
  const bytes = new Uint8Array(pcm.buffer);
  const frameBytes = (sampleRate * 2 * frameMs) / 1_000;
  for (let at = 0; at < bytes.length; at += frameBytes) {
    await sleep(Math.max(0, startedAt + (at / frameBytes + 1) * frameMs - performance.now()));
    opened.send(bytes.subarray(at, at + frameBytes));
  }
  opened.send({ type: stream === 'spectra' ? 'finish' : 'commit' });
  const { code, messages } = await opened.ended;
  if (code !== 1000) throw new Error(`${code} ${JSON.stringify(messages.at(-1))}`);
  return { shown, isRevised: messages.some(({ type }) => type === 'revised') };
}

interface Interim {
  readonly type: string;
  readonly stable: readonly Word[];
  readonly tail: readonly Word[];
}

/** null: the word never appeared, or was never stable. */
function delays(word: Word, shown: readonly ShownWord[]): Delays {
  const same = shown.filter(
    (other) =>
      Math.abs(other.start - word.start) < sameWordSeconds &&
      bareWord(other.word) === bareWord(word.word),
  );
  const since = (other: ShownWord | undefined): number | null =>
    other ? other.atMs - word.end * 1_000 : null;
  return { seenMs: since(same[0]), stableMs: since(same.find(({ isStable }) => isStable)) };
}

interface Delays {
  readonly seenMs: number | null;
  readonly stableMs: number | null;
}
