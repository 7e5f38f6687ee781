// Contents of the calibration files of bundles.
import { z } from 'zod';

const labelCalibrationSchema = z.strictObject({
  slope: z.number(),
  offset: z.number(),
  /** Score from which a regime selects the label; null when it never does. */
  f1: z.number().nullable(),
  precision: z.number().nullable(),
});

/** Of the labels of Resonance-2. */
export const calibrationSchema = z.strictObject({
  labels: z.record(z.string(), labelCalibrationSchema),
});
export type Calibration = z.infer<typeof calibrationSchema>;

/** Platt scaling of a word's goodness of pronunciation to its score. */
export const proficiencyCalibrationSchema = z.strictObject({
  word: z.strictObject({ slope: z.number(), offset: z.number() }),
  fluency: z.strictObject({
    phonesPerSecond: z.number(),
    logRunWords: z.number(),
    offset: z.number(),
  }),
  transcript: z.strictObject({ leastGoodness: z.number() }),
});
