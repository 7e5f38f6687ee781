// What an answer says of speech that was removed from it.
import test from 'ava';
import { toSpeechResult } from '../../../api/results/speech-result.ts';

test('a redaction has its kind, its time within the recording, and its speaker if known', (t) => {
  const result = {
    ...({ version: 2, sourceSamples: 160_000, sourceRate: 16_000 } as const),
    ...{ text: '[PHONE] [CARD]', language: 'en', speakers: 2, segments: [] },
    ...{ emotions: [], styles: [], logits: null, inferenceMs: 1, billableSeconds: 10 },
    removed: [
      { kind: 'phone', start: 1.23456, end: 11, speaker: null },
      { kind: 'card', start: 2, end: 3, speaker: 1 },
    ] as const,
  };
  const request = { requestId: 'r', model: 'svc-resonance', task: 'transcription' } as const;
  const answer = toSpeechResult(request, { organizationId: 'o', attempt: 1, result });
  t.deepEqual(answer.redactions, [
    { kind: 'phone', start: 1.235, end: 10, speaker: null },
    { kind: 'card', start: 2, end: 3, speaker: 'speaker_1' },
  ]);
});
