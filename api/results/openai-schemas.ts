// The bodies that clients of OpenAI's transcription API read, as zod schemas: tests validate every
// answer against them, and the reference is generated from them.
import { z } from 'zod';
import { seconds } from './schemas.ts';

/** Seconds that were charged; OpenAI bills `whisper-1` in the same way. */
const durationUsageSchema = z
  .strictObject({ type: z.literal('duration'), seconds: z.int().min(0) })
  .meta({ id: 'OpenAiUsage' });

export const openAiTranscriptionSchema = z
  .strictObject({ text: z.string(), usage: durationUsageSchema })
  .meta({ id: 'OpenAiTranscription' });

const openAiWordSchema = z
  .strictObject({ word: z.string(), start: seconds, end: seconds })
  .meta({ id: 'OpenAiWord' });

const openAiSegmentSchema = z
  .strictObject({
    id: z.int().min(0),
    /** Start of the segment in frames of 10 ms, as Whisper counts them. */
    seek: z.int().min(0),
    start: seconds,
    end: seconds,
    text: z.string(),
    /** Always empty: results keep words, not the tokens of their decoding. */
    tokens: z.array(z.int()).max(0),
    /** Decoding is greedy. */
    temperature: z.literal(0),
    /** Mean logarithm of the words' confidences. */
    avg_logprob: z.number().max(0),
    /** Bytes of the text over bytes of the text deflated. */
    compression_ratio: z.number().min(0),
    /** 0, because voice activity detection has removed everything but speech. */
    no_speech_prob: z.literal(0),
  })
  .meta({ id: 'OpenAiSegment' });

export const openAiVerboseSchema = z
  .strictObject({
    task: z.literal('transcribe'),
    /** English name of the language in lower case. */
    language: z.string(),
    duration: seconds,
    text: z.string(),
    segments: z.array(openAiSegmentSchema).optional(),
    words: z.array(openAiWordSchema).optional(),
    usage: durationUsageSchema,
  })
  .meta({ id: 'OpenAiVerboseTranscription' });

const turn = {
  type: z.literal('transcript.text.segment'),
  id: z.string().regex(/^seg_\d{3,}$/),
  start: seconds,
  end: seconds,
  text: z.string(),
  speaker: z.string(),
};

const openAiTurnSchema = z.strictObject(turn).meta({ id: 'OpenAiTurn' });

export const openAiDiarizedSchema = z
  .strictObject({
    task: z.literal('transcribe'),
    duration: seconds,
    text: z.string(),
    segments: z.array(openAiTurnSchema),
    usage: durationUsageSchema,
  })
  .meta({ id: 'OpenAiDiarizedTranscription' });

/** Server-sent events of a request with `stream=true`. */
export const openAiEventSchema = z
  .union([
    z.strictObject({
      type: z.literal('transcript.text.delta'),
      delta: z.string(),
      segment_id: z.string().optional(),
    }),
    openAiTurnSchema,
    z.strictObject({
      type: z.literal('transcript.text.done'),
      text: z.string(),
      usage: durationUsageSchema,
    }),
  ])
  .meta({ id: 'OpenAiTranscriptionEvent' });

export const openAiModelSchema = z
  .strictObject({
    id: z.string(),
    object: z.literal('model'),
    /** Unix seconds of the price list that the model is in. */
    created: z.int(),
    owned_by: z.string(),
  })
  .meta({ id: 'OpenAiModel' });

export const openAiModelListSchema = z
  .strictObject({ object: z.literal('list'), data: z.array(openAiModelSchema) })
  .meta({ id: 'OpenAiModelList' });

export type OpenAiVerbose = z.infer<typeof openAiVerboseSchema>;
export type OpenAiDiarized = z.infer<typeof openAiDiarizedSchema>;
export type OpenAiTranscription = z.infer<typeof openAiTranscriptionSchema>;
export type OpenAiEvent = z.infer<typeof openAiEventSchema>;
export type OpenAiModel = z.infer<typeof openAiModelSchema>;
