// Content of the weights that heads trained here have besides their graphs, or instead of one.
import { z } from 'zod';
import { emotionLabels, styleLabels } from '../contract/labels.ts';

const values = z.array(z.number());
/** Row by row of inputs; one column per output. */
const linear = z.strictObject({ weights: z.array(values), bias: values });

/** The weights of a head besides its graph, written by training/affect_head.py. */
export const affectWeightsSchema = z.strictObject({
  /** Names of the functionals in order, and their normalisation. */
  functionals: z.array(z.string()),
  mean: values,
  deviation: values,
  /** From functionals to the absolute class logits. */
  absolute: linear,
  /** From functionals minus their mean in the recording to the relative class logits. */
  relative: linear,
  /** Added to the encoder's relative logits. */
  encoderBias: values,
  /**
   * Normalised functionals of the training speech: their mean, their first principal directions
   * with variances, the variance of each dimension outside of these, and the distance from the mean
   * up to which speech is familiar (`models/affect/familiarity.ts`).
   */
  familiar: z.strictObject({
    centre: values,
    directions: z.array(values),
    variances: values,
    rest: z.number(),
    limit: z.number(),
  }),
  /** Class index of each label that was recorded. */
  recorded: z.partialRecord(z.enum(emotionLabels), z.int()),
  /** Valence, arousal and dominance of each class. */
  places: z.array(values),
  /** Functionals that help to determine unrecorded labels. */
  measures: z.array(z.string()),
  /**
   * From coordinates, their squared length and the measures to the logit of each unrecorded label.
   */
  placed: z.partialRecord(
    z.enum([...emotionLabels, ...styleLabels]),
    z.strictObject({ weights: values, bias: z.number() }),
  ),
});
export type AffectWeights = z.infer<typeof affectWeightsSchema>;

/** Content of the head's weights: a slope per mean and deviation of the encoder's layers. */
export const englishHeadWeightsSchema = z.strictObject({
  weights: z.array(z.number()),
  bias: z.number(),
});
