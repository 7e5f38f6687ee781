// Of channels that belong to a speaker each, the words that are another channel's: chunks have the
// sound of pauses, which voice activity has left out as another's speech.
import type { Word } from '../../asr/transcript.ts';
import type { TimeSpan } from '../../audio/samples.ts';
import { hopSeconds } from '../../vad/hops.ts';
import type { AnalyzedChunk } from '../analyzed-chunk.ts';
import type { PlannedSegment, RecordingPlan } from '../plan/plan.ts';
import {
  delayFinder,
  samplesPerHop,
  loudestAbout,
  maxDelayHops,
  maxGain,
  maxLeadHops,
  measurePowers,
  readHops,
  sumOf,
  type Channels,
} from './channel-samples.ts';

/** What is compared around a word. */
const windowHops = 16;
const findDelay = delayFinder(windowHops);
/** From here on half a second of a channel is the other one, and hardly its own as well. */
const leastSimilarity = 0.2;
/** A leak is that much quieter than who speaks on the channel, or it is not told from them. */
const maxLevel = 10 ** (-8 / 10);
/** Where the level of a channel's own speech is measured. */
const reachHops = Math.round(10 / hopSeconds);

interface ChannelSpeech extends Channels {
  readonly channel: number;
  readonly segments: readonly PlannedSegment[];
}

/**
 * Without the words in a pause of their channel that sound as another one does then, and quieter
 * than its own speaker. All others stay: voice activity misses quiet speech, above all while
 * somebody else speaks.
 */
export async function withoutLeakedWords(
  chunks: readonly AnalyzedChunk[],
  plan: Pick<RecordingPlan, 'segments' | 'channelSpeechSeconds'>,
  channels: Channels,
): Promise<readonly AnalyzedChunk[]> {
  const { segments, channelSpeechSeconds } = plan;
  if (!segments || !channelSpeechSeconds) return chunks;
  const heard: AnalyzedChunk[] = [];
  for (const chunk of chunks) {
    const { channel, words } = chunk;
    if (channel === undefined) heard.push(chunk);
    else heard.push({ ...chunk, words: await ownWords(words, { ...channels, channel, segments }) });
  }
  return heard;
}

async function ownWords(words: readonly Word[], speech: ChannelSpeech): Promise<readonly Word[]> {
  const { channel, segments } = speech;
  const own = segments.filter(({ speaker }) => speaker === channel);
  const suspects = words.flatMap((word) => {
    const other = own.some((span) => overlapOf(word, span) > 0) ? null : speakerOf(word, segments);
    return other === null ? [] : [{ word, other }];
  });
  if (suspects.length === 0) return words;
  const from = hopAt(words[0]!.start) - reachHops;
  const to = hopAt(words.at(-1)!.end) + reachHops;
  const powers = new Float32Array(Math.max(0, to));
  measurePowers(powers, await readHops(speech, channel, { from, to }), from);
  const leaked = new Set<Word>();
  for (const { word, other } of suspects) {
    const level = levelOf(powers, own, hopAt(word.start));
    if (level !== null && (await isLeak(word, { speech, other, powers, level }))) leaked.add(word);
  }
  return words.filter((word) => !leaked.has(word));
}

/** The channel that speaks most during a word; null where none does. */
function speakerOf(word: TimeSpan, segments: readonly PlannedSegment[]): number | null {
  let [most, speaker]: [number, number | null] = [0, null];
  for (const segment of segments) {
    const overlap = overlapOf(word, segment);
    if (overlap > most) [most, speaker] = [overlap, segment.speaker];
  }
  return speaker;
}

/** The median of a channel's own speech about a hop; null without any. */
function levelOf(powers: Float32Array, own: readonly TimeSpan[], at: number): number | null {
  const near: number[] = [];
  for (const { start, end } of own) {
    const first = Math.max(hopAt(start), at - reachHops, 0);
    const last = Math.min(hopAt(end), at + reachHops, powers.length);
    for (let i = first; i < last; i += 1) near.push(powers[i]!);
  }
  return near.length === 0 ? null : near.toSorted((a, b) => a - b)[near.length >> 1]!;
}

interface Suspect {
  readonly speech: ChannelSpeech;
  readonly other: number;
  readonly powers: Float32Array;
  readonly level: number;
}

async function isLeak(word: TimeSpan, { speech, other, powers, level }: Suspect): Promise<boolean> {
  const [first, end] = [hopAt(word.start), Math.max(hopAt(word.end), hopAt(word.start) + 1)];
  const power = sumOf(powers, first, end);
  if (power > maxLevel * level * (end - first)) return false;
  const at = Math.round((first + end - windowHops) / 2);
  const before = Math.min(at, first) - maxDelayHops;
  const after = Math.max(at + windowHops, end) + maxLeadHops;
  const [holding, sent] = await Promise.all([
    readHops(speech, speech.channel, { from: at, to: at + windowHops }),
    readHops(speech, other, { from: before, to: after }),
  ]);
  const start = (at - maxDelayHops - before) * samplesPerHop;
  const held = sent.subarray(
    start,
    start + (maxDelayHops + windowHops + maxLeadHops) * samplesPerHop,
  );
  const { delaySamples, similarity } = findDelay(holding, held);
  if (similarity < leastSimilarity) return false;
  const delayHops = Math.round(delaySamples / samplesPerHop);
  const sentPowers = new Float32Array(Math.max(0, after));
  measurePowers(sentPowers, sent, before);
  for (let i = Math.max(0, first); i < end; i += 1) {
    const loudest = loudestAbout(sentPowers, i - delayHops);
    if (powers[i]! > maxGain * loudest) return false;
  }
  return true;
}

function hopAt(seconds: number): number {
  return Math.round(seconds / hopSeconds);
}

/** Of two spans, in seconds; at most 0 where they do not overlap. */
function overlapOf(one: TimeSpan, other: TimeSpan): number {
  return Math.min(one.end, other.end) - Math.max(one.start, other.start);
}
