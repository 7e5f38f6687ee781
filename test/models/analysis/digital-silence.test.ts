// Digital silence of recordings whose rate is converted: at their ends the filter sees zeros, so
// that a constant rises and falls there.
import test from 'ava';
import { analyzeClip } from '../../../models/analysis/analyze-clip.ts';
import { joinSamples } from '../../../models/audio/samples.ts';
import { resonance2Model } from '../../../models/contract/served-models.ts';
import { aDecoder, type TestDecoder } from '../../support/decoding.ts';
import { scriptedPool } from '../../support/scripted-pool.ts';
import { encode, toWav } from '../../support/speech.ts';

async function abstains(decoder: TestDecoder, file: Buffer): Promise<boolean> {
  const blocks: Int16Array[] = [];
  const onPcm = (block: Int16Array): void => void blocks.push(block.slice());
  const audio = await decoder.decode(file, { onPcm });
  const options = { diarize: false, numSpeakers: null, includeLogits: true };
  const clip = {
    request: { model: resonance2Model, task: 'affect', options },
    ...{ audio, pcm: joinSamples(blocks), probabilities: [new Float32Array(64)], outline: null },
  } as const;
  const job = { organizationId: 'o', priority: 'interactive' } as const;
  const { plan } = await analyzeClip(scriptedPool({}), clip as never, job as never);
  return plan.abstains === true;
}

/** Two seconds of a constant, with another sample in the middle. */
function constant(value: number, rate: number, middle = value): Buffer {
  const samples = new Int16Array(2 * rate).fill(value);
  samples[rate] = middle;
  return toWav(samples, { rate });
}

for (const rate of [8_000, 11_025, 16_000, 44_100, 48_000]) {
  test(`a constant at ${rate} Hz is digital silence`, async (t) => {
    const decoder = aDecoder(t, 1);
    for (const value of [0, 10, -256, 20_000]) {
      t.true(await abstains(decoder, constant(value, rate)), `${value}`);
    }
    t.true(await abstains(decoder, await encode(constant(10, rate), 'flac')), 'by FFmpeg');
    t.false(await abstains(decoder, constant(10, rate, 2_000)), 'a click');
  });
}
