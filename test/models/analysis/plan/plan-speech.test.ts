// What of a request changes in which parts a recording is read.
import test from 'ava';
import { planSpeech } from '../../../../models/analysis/plan/plan-speech.ts';
import type { RecordingRequest } from '../../../../models/contract/recording-request.ts';

/** 24 s of speech with a pause in the middle, in each channel. */
const probabilities = new Float32Array(800).fill(0.9, 16, 384).fill(0.9, 400, 766);

function chunks({ options, ...request }: Pick<RecordingRequest, 'task' | 'options'>) {
  const { separateChannels = false } = options;
  const channels = separateChannels ? [probabilities, probabilities] : [probabilities];
  const speech = { channels, samples: 800 * 512, turns: null, startSample: 0 };
  return planSpeech({ ...request, model: 'svc-resonance', options }, speech).chunks;
}

test('without words nothing depends on a language that is fixed', (t) => {
  const common = { diarize: false, numSpeakers: null, includeLogits: false };
  for (const options of [common, { ...common, separateChannels: true } as const]) {
    for (const task of ['emotion', 'style', 'affect'] as const) {
      const fixed = chunks({ task, options: { ...options, language: 'de' } });
      t.deepEqual(fixed, chunks({ task, options }), task);
    }
    const analysis = chunks({ task: 'analysis', options });
    const german = chunks({ task: 'analysis', options: { ...options, language: 'de' } });
    t.true(german.length < analysis.length, 'its words are better with long context');
  }
});
