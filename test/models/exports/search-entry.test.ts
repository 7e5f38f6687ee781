// What is counted of a kept result, as every other view of it counts.
import test from 'ava';
import { countUnsure } from '../../../models/exports/low-confidence.ts';
import { searchEntryOf } from '../../../models/exports/search-entry.ts';
import { toSpeechResult } from '../../../api/results/speech-result.ts';

test('words and labels are unsure in the list of recordings as in the answer', (t) => {
  const words = [0.4994, 0.4996, 0.5, null].map((confidence, i) => ({
    ...{ word: 'x', start: i, end: i + 1, confidence },
  }));
  const segment = {
    ...{ start: 0, end: 4, text: 'x x x x', words, speaker: null },
    emotions: [
      { label: 'sad', score: 0.496 },
      { label: 'angry', score: 0.49 },
    ],
    styles: [{ label: 'warm', score: 0.3 }],
    logits: null,
  };
  const result = {
    ...{ text: 'x x x x', language: 'en', speakers: null, segments: [segment] },
    ...{ emotions: [], styles: [], logits: null, inferenceMs: 1, billableSeconds: 4 },
    ...({ version: 2, sourceSamples: 64_000, sourceRate: 16_000 } as const),
  };
  const request = { requestId: 'r', model: 'svc-resonance', task: 'transcription' } as const;
  const answer = toSpeechResult(request, { organizationId: 'o', attempt: 1, result });
  t.is(searchEntryOf(result, 4).unsureWords, 1);
  t.is(countUnsure(answer).unsure, 1);
  t.deepEqual(searchEntryOf(result, 4).labels, ['sad'], 'it is shown as 0.50');
});
