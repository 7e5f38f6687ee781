// Words of a channel's pauses: those of another channel are left out, and quiet own ones stay.
import test from 'ava';
import type { AnalyzedChunk } from '../../../../models/analysis/analyzed-chunk.ts';
import { withoutLeakedWords } from '../../../../models/analysis/speakers/leaked-words.ts';
import { joinSamples, samplesInMemory } from '../../../../models/audio/samples.ts';
import { speech } from '../../../support/speech.ts';

const [agent, customer] = await Promise.all([
  speech('Thank you for calling, how can I help you today? I can see your account.'),
  speech('I would like to change my address, please.', { voice: 'rms' }),
]);
const second = 16_000;
const samples = 15 * second;
/** Where the agent speaks, while voice activity has heard nothing of the customer. */
const agentAt = 5;
const segments = [
  { start: 0.5, end: 0.5 + customer.length / second, speaker: 0 },
  { start: agentAt, end: agentAt + agent.length / second, speaker: 1 },
  { start: 11, end: 11 + customer.length / second, speaker: 0 },
];
const plan = { segments, channelSpeechSeconds: [5, 5] };

interface Sound {
  readonly pcm: Int16Array;
  readonly at: number;
  readonly gain?: number;
}

function channel(...sounds: readonly Sound[]): Int16Array {
  const mixed = new Int16Array(samples);
  for (const { pcm, at, gain = 1 } of sounds)
    pcm.forEach((sample, n) => (mixed[Math.round(at * second) + n]! += gain * sample));
  return mixed;
}

const said = [
  { word: 'address', start: 1, end: 1.4, confidence: 1 },
  { word: 'account', start: 6, end: 6.4, confidence: 1 },
  { word: 'please', start: 12, end: 12.4, confidence: 1 },
];

/** @returns the words of the customer's channel that stay */
async function words(
  own: readonly Sound[],
  { loudness = 1, planned = plan }: { loudness?: number; planned?: object } = {},
): Promise<readonly string[]> {
  const speaking = [0.5, 11].map((at) => ({ pcm: customer, at, gain: loudness }));
  const both = [channel(...speaking, ...own), channel({ pcm: agent, at: agentAt })];
  const read = samplesInMemory(joinSamples(both));
  const chunk: AnalyzedChunk = {
    ...{ index: 0, words: said, written: null, scored: [], inferenceMs: 1, channel: 0 },
  };
  const heard = await withoutLeakedWords([chunk], planned as typeof plan, { samples, read });
  return heard.flatMap((each) => each.words.map(({ word }) => word));
}

const all = ['address', 'account', 'please'];

test('what another channel says in a pause of a channel is not said on it', async (t) => {
  for (const [gain, delay] of [
    [0.1, 0],
    [0.1, 0.1],
    [0.03, 0.4],
  ] as const) {
    const left = await words([{ pcm: agent, at: agentAt + delay, gain }]);
    t.deepEqual(left, ['address', 'please'], `${gain} ${delay}`);
  }
});

test('quiet words stay that voice activity missed while another channel speaks', async (t) => {
  t.deepEqual(await words([{ pcm: customer, at: 5.5, gain: 0.1 }]), all);
  const leak = { pcm: agent, at: agentAt + 0.1, gain: 0.03 };
  t.deepEqual(await words([leak, { pcm: customer, at: 5.5, gain: 0.15 }]), all);
});

test('a leak that is as loud as who speaks on the channel is not told from them', async (t) => {
  const leak = { pcm: agent, at: agentAt + 0.1, gain: 0.1 };
  t.deepEqual(await words([leak], { loudness: 0.1 }), all);
});

test('channels that are mixed keep every word', async (t) => {
  const leak = { pcm: agent, at: agentAt + 0.1, gain: 0.1 };
  t.deepEqual(await words([leak], { planned: { segments } }), all);
});
