// Fields of a synthetic-speech result.
import { z } from 'zod';

export const humanOrSynthetic = z.enum(['human', 'synthetic']);

export const syntheticWarnings = z
  .array(z.string())
  .max(8)
  .describe(
    '`long_audio_aggregation_is_experimental` over 20 s; `segments_disagree`; ' +
      '`no_speech_detected`, `segments_without_speech`; `other_language_detected`: it sounds ' +
      'like another language than English, in which synthetic voices are mostly not found. ' +
      'Others may follow.',
  );
