// Example answers of the OpenAPI document; a test validates them against the schemas.
import { emotionLabels, styleLabels } from '../../models/contract/labels.ts';
import {
  defaultModel,
  resonance2Model,
  spectraModel,
} from '../../models/contract/served-models.ts';
import { toUsage } from '../results/usage.ts';

const text = 'Good morning, this is Rachel from the customer service team.';
const usage = toUsage({
  model: defaultModel,
  task: 'transcription',
  audioSeconds: 3.482,
  billableSeconds: 4,
});
const { rate_per_request_usd: _, ...spectraUsage } = toUsage({
  model: spectraModel,
  task: 'transcription',
  audioSeconds: 3.482,
  billableSeconds: 4,
});

/** Equal shares, because the example is not about the highest label. */
const evenly = (labels: readonly string[]) => labels.map((label) => ({ label, score: 0.06 }));

export const exampleResults = {
  text,
  transcription: {
    id: 'res_2483face16417e72563808a98e442e0f',
    object: 'speech.result',
    task: 'transcription',
    model: defaultModel,
    text,
    tagged_text: null,
    language: 'en',
    duration: 3.482,
    emotions: [],
    styles: [],
    segments: [
      {
        id: 0,
        start: 0.232,
        end: 3.24,
        text,
        tagged_text: null,
        words: [{ word: 'Good', start: 0.232, end: 0.352, confidence: 0.953 }],
        emotions: [],
        styles: [],
        speaker: null,
      },
    ],
    diarized: false,
    speakers: [],
    usage,
  },
  spectra2: {
    id: 'res_2483face16417e72563808a98e442e0f',
    object: 'speech.result',
    model: spectraModel,
    task: 'transcription',
    text,
    duration: 3.482,
    emotions: evenly(emotionLabels),
    styles: evenly(styleLabels),
    usage: spectraUsage,
  },
  access: { model: resonance2Model, status: 'pending', approved: false },
} as const;
