// The JSON documents of a recording, stored between its steps and as its result, each with a
// version and a schema. A change that the previous release would misread needs a new version.
import { z } from 'zod';
import type { AnalyzedChunk } from '../analyzed-chunk.ts';
import type { RecordingOutline } from './outline.ts';
import type { RecordingPlan } from '../plan/plan.ts';
import type { RecordingResult } from './result.ts';
import type { AnalysisOptions } from '../../contract/recording-request.ts';
import type { Redaction } from '../../contract/redaction.ts';

/**
 * An hour has tens of thousands of logits, for which a plain loop takes a fraction of a schema's
 * time.
 */
const numbers = z.custom<readonly number[]>(
  (given) => Array.isArray(given) && given.every((value) => typeof value === 'number'),
);
const timed = { start: z.number(), end: z.number() };
const word = z.object({ ...timed, word: z.string(), confidence: z.number().nullable() });
const labelScores = z.array(z.object({ label: z.string(), score: z.number() }));
const speaker = z.number().nullable();

const outlineSchema = z.object({
  peaks: numbers,
  loudnessDb: z.array(numbers),
  startSeconds: z.number().optional(),
});

const planSchema = z.object({
  chunks: z.array(
    z.object({
      index: z.number(),
      startSample: z.number(),
      endSample: z.number(),
      silence: z.object({ beforeSamples: z.number(), afterSamples: z.number() }).optional(),
      spans: z.array(z.object({ ...timed, segment: z.number().nullable() })),
      isFaint: z.literal(true).optional(),
      channel: z.object({ index: z.number(), clockSample: z.number() }).optional(),
    }),
  ),
  segments: z.array(z.object({ ...timed, speaker })).nullable(),
  speakers: z.number().nullable(),
  speechSeconds: z.number(),
  channelSpeechSeconds: numbers.optional(),
  outline: outlineSchema.optional(),
  unlikelyEnglish: z.literal(true).optional(),
  prior: z.record(z.string(), z.number()).optional(),
  abstains: z.literal(true).optional(),
});

const chunkSchema = z.object({
  index: z.number(),
  words: z.array(word),
  language: z.string().nullable().optional(),
  languages: z.record(z.string(), z.number()).nullable().optional(),
  english: z.number().nullable().optional(),
  englishParts: z.object({ least: z.number(), most: z.number() }).nullable().optional(),
  channel: z.number().optional(),
  written: z.object({ text: z.string(), language: z.string() }).nullable(),
  scored: z.array(z.object({ ...timed, segment: z.number().nullable(), readings: numbers })),
  inferenceMs: z.number(),
});

const assessmentSchema = z.object({
  check: z.object({ status: z.string(), billable: z.boolean(), reason: z.string().nullable() }),
  words: z.array(
    z.object({
      ...timed,
      word: z.string(),
      phones: z.number(),
      gop: z.number(),
      vowelSeconds: numbers,
    }),
  ),
  speechSeconds: z.number(),
  transcriptGiven: z.boolean(),
  windows: z.number(),
});

const segmentSchema = z.object({
  ...timed,
  text: z.string().nullable(),
  words: z.array(word),
  speaker,
  emotions: labelScores,
  styles: labelScores,
  logits: numbers.nullable(),
});

const resultSchema = z.object({
  sourceSamples: z.number(),
  sourceRate: z.number(),
  billableSeconds: z.number(),
  inferenceMs: z.number(),
  reservationMs: z.number().optional(),
  text: z.string().nullable(),
  language: z.string().nullable(),
  emotions: labelScores,
  styles: labelScores,
  segments: z.array(segmentSchema),
  logits: numbers.nullable(),
  speakers: z.number().nullable(),
  channelSpeechSeconds: numbers.optional(),
  removed: z.array(z.object({ ...timed, kind: z.string(), speaker })).optional(),
  outline: outlineSchema.optional(),
  unlikelyEnglish: z.literal(true).optional(),
  proficiency: assessmentSchema.optional(),
});

const batchOptionsSchema = z.object({
  diarize: z.boolean(),
  numSpeakers: z.number().nullable(),
  includeLogits: z.boolean(),
  separateChannels: z.literal(true).optional(),
  language: z.string().optional(),
  formatNumbers: z.literal(true).optional(),
  redactKinds: z.array(z.string()).optional(),
  redactNames: z.array(z.string()).optional(),
  organizationRedaction: z
    .object({ kinds: z.array(z.string()), names: z.array(z.string()) })
    .optional(),
  vocabulary: z.array(z.string()).optional(),
  organizationVocabulary: z.array(z.string()).optional(),
  channelRoles: z.array(z.string()),
});

/** The options of a batch; roles matter to readers of the results, but not to workers. */
export interface BatchOptions extends Omit<AnalysisOptions, 'redact'> {
  readonly redactKinds?: Redaction['kinds'];
  /** As the caller wrote them: the row is deleted with the batch. */
  readonly redactNames?: readonly string[];
  /** What its organization removed when the batch was created; absent for nothing. */
  readonly organizationRedaction?: Redaction;
  /** What its organization preferred when the batch was created; absent for nothing. */
  readonly organizationVocabulary?: readonly string[];
  readonly channelRoles: readonly string[];
}

/**
 * Returns the document itself rather than the schema's copy: an hour of speech is then checked in 3
 * % of the time that its answer takes to write.
 */
function checkedBy<T>(schema: z.ZodType): (document: unknown) => T {
  return (document) => {
    schema.parse(document);
    return document as T;
  };
}

export const outlineFormat = {
  name: 'outline',
  version: 1,
  check: checkedBy<RecordingOutline>(outlineSchema),
} as const;

export const planFormat = {
  name: 'plan',
  version: 1,
  check: checkedBy<RecordingPlan>(planSchema),
} as const;

export const chunkFormat = {
  name: 'chunk',
  version: 2,
  check: checkedBy<AnalyzedChunk>(chunkSchema),
} as const;

export const resultFormat = {
  name: 'result',
  version: 2,
  check: checkedBy<RecordingResult>(resultSchema),
} as const;

export const batchOptionsFormat = {
  name: 'batch',
  version: 1,
  check: checkedBy<BatchOptions>(batchOptionsSchema),
} as const;
