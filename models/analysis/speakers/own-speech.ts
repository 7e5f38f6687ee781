// Of channels that belong to a speaker each, the speech that is their own. A line, a headset or a
// room lets something of one channel into another, where it is heard as speech of the wrong person.
import { setImmediate as nextTick } from 'node:timers/promises';
import { speechThresholds } from '../../vad/speech-regions.ts';
import {
  delayFinder,
  samplesPerHop,
  maxDelayHops,
  maxGain,
  maxLeadHops,
  measurePowers,
  readHops,
  sumOf,
  type Channels,
} from './channel-samples.ts';
import { withoutLeaks, type Leak } from './leaks.ts';

/** A second of a channel is compared with another one at a time. */
const windowHops = 32;
/** What is read and held at once. */
const blockHops = 20 * windowHops;
const findDelay = delayFinder(windowHops);

/** From here on a window of a channel holds the other one. */
const leastSimilarity = 0.12;
/** Hops of speech in a window, without which it is not compared. */
const minActiveHops = 4;

/**
 * @param channels speech probabilities of each, per hop
 * @returns the same with 0 where a channel holds no speech but another one's
 */
export async function ownSpeech(
  channels: readonly Float32Array[],
  { samples, read }: Channels,
): Promise<readonly Float32Array[]> {
  if (channels.length < 2) return channels;
  const leaks = channels.map((): Leak[] => []);
  const powers = channels.map(({ length }) => new Float32Array(length));
  const hops = channels[0]!.length;
  for (let from = 0; from < hops; from += blockHops) {
    const to = Math.min(hops, from + blockHops);
    const active = channels.flatMap((each, channel) => {
      return countActive(each, from - maxDelayHops, to + maxLeadHops) > 0 ? [channel] : [];
    });
    const block = { from: from - maxDelayHops, to: to + windowHops + maxLeadHops };
    const heard = new Map<number, Float32Array>();
    for (const channel of active) {
      const pcm = await readHops({ samples, read }, channel, block);
      heard.set(channel, pcm);
      measurePowers(powers[channel]!, pcm, block.from);
    }
    // Alone it is no leak, but its powers say so where the evidence of another block reaches.
    if (active.length < 2) continue;
    for (let at = from; at < to; at += windowHops) {
      for (const channel of active) {
        // A comparison takes milliseconds, and a call may have thousands.
        await nextTick();
        const leak = leakAt({ channels, powers, heard }, { channel, at, from: block.from });
        if (leak) leaks[channel]!.push(leak);
      }
    }
  }
  return channels.map((probabilities, channel) =>
    leaks[channel]!.length === 0
      ? probabilities
      : withoutLeaks(probabilities, { channel, powers, leaks: leaks[channel]! }),
  );
}

function countActive(probabilities: Float32Array, from: number, to: number): number {
  let active = 0;
  for (let i = Math.max(0, from); i < Math.min(probabilities.length, to); i += 1) {
    if (probabilities[i]! >= speechThresholds.off) active += 1;
  }
  return active;
}

interface Heard {
  readonly channels: readonly Float32Array[];
  readonly powers: readonly Float32Array[];
  readonly heard: ReadonlyMap<number, Float32Array>;
}

/** @param place a window of a channel; `from` is the first hop of what was read */
function leakAt(
  { channels, powers, heard }: Heard,
  { channel, at, from }: { readonly channel: number; readonly at: number; readonly from: number },
): Leak | null {
  if (countActive(channels[channel]!, at, at + windowHops) < minActiveHops) return null;
  const before = at - maxDelayHops;
  const after = at + windowHops + maxLeadHops;
  const own = sumOf(powers[channel]!, at, at + windowHops);
  const others = [...heard.keys()].filter((each) => each !== channel);
  const power = (each: number): number => sumOf(powers[each]!, before, after);
  const other = others.reduce((most, each) => (power(each) > power(most) ? each : most));
  if (own > maxGain * power(other)) return null;
  if (countActive(channels[other]!, before, after) < minActiveHops) return null;
  const slice = (each: number, start: number, end: number): Float32Array =>
    heard.get(each)!.subarray((start - from) * samplesPerHop, (end - from) * samplesPerHop);
  const { delaySamples, similarity } = findDelay(
    slice(channel, at, at + windowHops),
    slice(other, before, after),
  );
  if (similarity < leastSimilarity) return null;
  const delayHops = Math.round(delaySamples / samplesPerHop);
  const sent = sumOf(powers[other]!, at - delayHops, at + windowHops - delayHops);
  const gain = own / sent;
  return gain > maxGain ? null : { hop: at + windowHops / 2, other, delayHops, gain };
}
