// The schema of a bundle's manifest: files with hashes, provenance, and the parameters of its
// family.
import { z } from 'zod';
import { bundle } from './bundle-fields.ts';
import { emotionLabels, styleLabels } from '../contract/labels.ts';

const graphSchema = z.strictObject({
  /**
   * Graphs in models/graphs, or in the folder of a bundle that was converted: one, or the parts of
   * one that run in sequence.
   */
  graphs: z.array(z.string()).min(1),
  /** The bundle's file that the graphs refer to. */
  weights: z.string(),
});

const moonshineSchema = z.strictObject({
  ...bundle,
  family: z.literal('moonshine'),
  languages: z.array(z.string()).min(1),
  encoder: graphSchema,
  decoder: z.strictObject({
    /** A graph in models/graphs. */
    graphs: z.strictObject({ cross: z.string(), step: z.string() }),
    /** The published decoder, whose weights the graphs refer to. */
    weights: z.string(),
  }),
  tokenizer: z.string(),
  /** The bundles that are fitted to this encoder's layers: word times, and English or not. */
  aligner: z.string(),
  englishHead: z.string(),
  /** Values inside the encoder's graph that heads read besides its output. */
  hiddenLayers: z.array(z.string()),
  hiddenSize: z.int().positive(),
  layers: z.int().positive(),
  heads: z.int().positive(),
  headSize: z.int().positive(),
  startToken: z.int().nonnegative(),
  endToken: z.int().nonnegative(),
  maxTokensPerSecond: z.number().positive(),
});

const weight = z.number();
/** Platt's scaling of a word's scores to the probability that it is right. */
const wordScores = { bias: weight, meanLogProbability: weight, minLogProbability: weight };
const alignedScores = { ...wordScores, fit: weight };

const whisperSchema = z.strictObject({
  ...bundle,
  family: z.literal('whisper'),
  /** Set-up joins the published parts and converts them to the files without a path. */
  published: z
    .union([
      z.strictObject({
        parts: z.array(z.string()).min(1),
        sha256: z.string(),
        /** In models/graphs. */
        layout: z.string(),
      }),
      /** A file that `bin/conversion` reads. */
      z.strictObject({ file: z.string(), sha256: z.string() }),
    ])
    .optional(),
  encoder: graphSchema,
  decoder: graphSchema,
  /**
   * Of what the graphs take and give (docs/adr/0063, 0070). A bundle that was converted before has
   * other graphs, and is pulled again.
   */
  graphVersion: z.literal(3),
  /**
   * Of the matrices. With seven, all processors multiply them alike and without detours
   * (docs/adr/0078); models whose words were not counted with seven have eight.
   */
  weightBits: z.union([z.literal(7), z.literal(8)]).default(8),
  settings: z.string(),
  vocabulary: z.string(),
  layers: z.int().positive(),
  heads: z.int().positive(),
  headSize: z.int().positive(),
  vocabularySize: z.int().positive(),
  tokens: z.strictObject({
    startOfTranscript: z.int(),
    endOfText: z.int(),
    transcribe: z.int(),
    noTimestamps: z.int(),
    noSpeech: z.int(),
  }),
  /** By ISO 639-1 code: the languages that are detected; none where a model knows English only. */
  languageTokens: z.record(z.string(), z.int()),
  confidence: z.strictObject(wordScores),
  /** The same for words that are aligned to phones, of a bundle that gives second opinions. */
  alignedConfidence: z.strictObject(alignedScores).optional(),
});

/** The part of a published `config.json` that decoding needs. */
export const whisperSettingsSchema = z.object({
  suppress_ids: z.array(z.int()),
  suppress_ids_begin: z.array(z.int()),
});

/** NVIDIA NeMo's token-and-duration transducer, as two graphs that hold their weights. */
const nemoTdtSchema = z.strictObject({
  ...bundle,
  family: z.literal('nemo-tdt'),
  languages: z.array(z.string()).min(1),
  encoder: z.string(),
  /** Prediction and joint network in one. */
  decoder: z.string(),
  vocabulary: z.string(),
  mels: z.int().positive(),
  /** Features per frame of the encoder. */
  subsampling: z.int().positive(),
  stateLayers: z.int().positive(),
  stateSize: z.int().positive(),
  /** Tokens with the blank; durations follow them. */
  vocabularySize: z.int().positive(),
  blank: z.int().nonnegative(),
  maxTokensPerFrame: z.int().positive(),
});

const sileroSchema = z.strictObject({
  ...bundle,
  family: z.literal('silero-vad'),
  graphs: z.strictObject({ front: z.string(), recurrent: z.string() }),
  /** The published graph, which holds the weights. */
  weights: z.string(),
});

const lexiconSchema = z.strictObject({
  ...bundle,
  family: z.literal('lexicon'),
  dictionary: z.string(),
});

const phoneAlignerSchema = z.strictObject({
  ...bundle,
  family: z.literal('phone-aligner'),
  model: z.string(),
  /** ARPAbet names in the order of the model's classes; the first is silence. */
  phones: z.array(z.string()).min(2),
  letterRules: z.string(),
  /** Platt scaling of a word's scores to the probability that it is correct. */
  confidence: z.strictObject(alignedScores),
});

/** A graph from the encoder's layers, and nothing besides. */
const graphOf = <Family extends string>(family: Family) =>
  z.strictObject({ ...bundle, family: z.literal(family), model: z.string() });

const affectHeadSchema = z.strictObject({
  ...bundle,
  family: z.literal('affect-head'),
  /** Graph from the encoder's layers to its logits. */
  model: z.string(),
  /** A file of the schema `affectWeightsSchema`. */
  weights: z.string(),
  /** A label is selected from this score on. */
  emotionThresholds: z.record(z.enum(emotionLabels), z.number()),
  styleThresholds: z.record(z.enum(styleLabels), z.number()),
});

const speakerCountSchema = graphOf('speaker-count');
const syntheticHeadSchema = graphOf('synthetic-head');
const speechCheckSchema = graphOf('speech-check');
/** Its graph is in models/graphs, over the bundle's file. */
const soundClassesSchema = graphOf('sound-classes');

const englishHeadSchema = z.strictObject({
  ...bundle,
  family: z.literal('english-head'),
  /** File of `englishHeadWeightsSchema`. */
  weights: z.string(),
  /** Encoder layers in the order of the weights. */
  layers: z.array(z.string()).min(1),
  /** Log-odds of English: a sum of the head's and of the words' mean log-probability. */
  odds: z.strictObject({ sound: weight, words: weight, offset: weight }),
});

const calibrationFileSchema = z.strictObject({
  ...bundle,
  family: z.literal('calibration'),
  calibration: z.string(),
});

const speakerEmbeddingSchema = z.strictObject({
  ...bundle,
  family: z.literal('speaker-embedding'),
  /** A graph in models/graphs whose weights are the bundle's file. */
  graph: z.string(),
  windowFrames: z.int().positive(),
  hopSamples: z.int().positive(),
  size: z.int().positive(),
  /** Another such graph: what its first layers tell about a span, in so many values. */
  traces: z.strictObject({ graph: z.string(), size: z.int().positive() }),
});

export const manifestSchema = z.discriminatedUnion('family', [
  moonshineSchema,
  whisperSchema,
  nemoTdtSchema,
  sileroSchema,
  lexiconSchema,
  phoneAlignerSchema,
  affectHeadSchema,
  speechCheckSchema,
  soundClassesSchema,
  speakerCountSchema,
  calibrationFileSchema,
  englishHeadSchema,
  syntheticHeadSchema,
  speakerEmbeddingSchema,
]);

/** A bundle's manifest; `family` selects the code that loads it. */
export type Manifest = z.infer<typeof manifestSchema>;
export type MoonshineManifest = z.infer<typeof moonshineSchema>;
export type WhisperManifest = z.infer<typeof whisperSchema>;
export type NemoTdtManifest = z.infer<typeof nemoTdtSchema>;
export type SileroManifest = z.infer<typeof sileroSchema>;
export type LexiconManifest = z.infer<typeof lexiconSchema>;
export type PhoneAlignerManifest = z.infer<typeof phoneAlignerSchema>;
export type AffectHeadManifest = z.infer<typeof affectHeadSchema>;
export type SoundClassesManifest = z.infer<typeof soundClassesSchema>;
export type SpeakerCountManifest = z.infer<typeof speakerCountSchema>;
export type SpeakerEmbeddingManifest = z.infer<typeof speakerEmbeddingSchema>;
export type EnglishHeadManifest = z.infer<typeof englishHeadSchema>;
