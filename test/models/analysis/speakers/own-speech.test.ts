// Leaks between channels are not heard as speech, and a channel's own speech is.
import test from 'ava';
import { ownSpeech } from '../../../../models/analysis/speakers/own-speech.ts';
import { joinSamples, samplesInMemory } from '../../../../models/audio/samples.ts';
import { hopSamples } from '../../../../models/vad/hops.ts';
import { silence, speech } from '../../../support/speech.ts';

/** A hop is heard where a tenth of a percent of full scale is reached. */
function heard(pcm: Int16Array): Float32Array {
  const hops = Math.ceil(pcm.length / hopSamples);
  return Float32Array.from({ length: hops }, (_, hop) => {
    const samples = pcm.subarray(hop * hopSamples, (hop + 1) * hopSamples);
    return samples.some((sample) => Math.abs(sample) > 33) ? 0.9 : 0.1;
  });
}

async function own(...channels: readonly Int16Array[]): Promise<readonly Float32Array[]> {
  const samples = channels[0]!.length;
  const read = samplesInMemory(joinSamples(channels));
  return ownSpeech(channels.map(heard), { samples, read });
}

/** @param gain of the leak, which is a millisecond of a filter later */
function withLeak(
  pcm: Int16Array,
  other: Int16Array,
  { gain, delay }: { readonly gain: number; readonly delay: number },
): Int16Array {
  return pcm.map((sample, n) => {
    const [now = 0, before = 0] = [other[n - delay], other[n - delay - 16]];
    return sample + gain * (now + 0.5 * before);
  });
}

const share = (probabilities: Float32Array, from: number, to: number): number => {
  const hops = probabilities.subarray(Math.ceil(from / hopSamples), Math.floor(to / hopSamples));
  return hops.filter((probability) => probability >= 0.35).length / hops.length;
};

const [agent, customer] = await Promise.all([
  speech('Thank you for calling, how can I help you today? I can see your account.'),
  speech('I would like to change my address, please.', { voice: 'rms' }),
]);
const length = 25 * 16_000;
const place = (pcm: Int16Array, at: number): Int16Array => {
  const channel = new Int16Array(length);
  channel.set(pcm, at);
  return channel;
};
const later = agent.length + 8_000;
const [left, right] = [place(agent, 0), place(customer, later)];

test('speech of another channel is not heard, and its own stays', async (t) => {
  for (const [gain, delay] of [
    [0.3, 0],
    [0.1, 80],
    [0.03, 640],
    [0.1, 8_000],
  ] as const) {
    const kept = await own(left, withLeak(right, left, { gain, delay }));
    const name = `${gain} ${delay}`;
    t.deepEqual(kept[0], heard(left), name);
    t.true(share(kept[1]!, delay, Math.min(later, agent.length + delay)) < 0.05, name);
    const from = Math.max(later, agent.length + delay);
    const before = share(heard(right), from, later + customer.length);
    t.true(share(kept[1]!, from, later + customer.length) > before - 0.1, name);
  }
});

test('who speaks while another one does is heard, a leak of that one or none', async (t) => {
  const over = place(customer, 16_000);
  for (const leak of [0, 0.05]) {
    const channel = withLeak(over, left, { gain: leak, delay: 160 });
    const [, kept] = await own(left, channel);
    const before = share(heard(over), 16_000, 16_000 + customer.length);
    t.true(share(kept!, 16_000, 16_000 + customer.length) > before - 0.15, `${leak}`);
  }
});

test('channels without a leak, of one speaker, and alike stay as they are', async (t) => {
  const over = place(customer, 16_000);
  for (const channels of [[left, over], [left, right, silence(25)], [left, left], [left]]) {
    t.deepEqual(await own(...channels), channels.map(heard));
  }
});

test('a leak late in a long call is found', async (t) => {
  const late = joinSamples([silence(61), left]);
  const own2 = joinSamples([silence(61), right]);
  const [, kept] = await own(late, withLeak(own2, late, { gain: 0.1, delay: 200 }));
  t.true(share(kept!, 61 * 16_000, 61 * 16_000 + agent.length) < 0.05);
});

/** Full scale from `from` to `to` seconds of a minute. */
function noise(from: number, to: number): Int16Array {
  const channel = new Int16Array(60 * 16_000);
  let seed = from + 1;
  for (let n = from * 16_000; n < to * 16_000; n += 1) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    channel[n] = (seed / 2 ** 32 - 0.5) * 16_000;
  }
  return channel;
}

test('who speaks alone within ten seconds of a leak is heard', async (t) => {
  for (const [leak, from, to] of [
    [noise(35, 40), 41.5, 59],
    [noise(21.5, 26), 1, 20.3],
    [noise(10, 19), 21, 60],
  ] as const) {
    const channel = withLeak(noise(from, to), leak, { gain: 0.1, delay: 800 });
    const [kept] = await own(channel, leak);
    t.is(share(kept!, from * 16_000, to * 16_000), 1, `${from} to ${to} s`);
    const leakStart = leak.findIndex((sample) => sample !== 0) + 16_000;
    t.is(share(kept!, leakStart, leakStart + 48_000), 0, `${from} to ${to} s`);
  }
});
