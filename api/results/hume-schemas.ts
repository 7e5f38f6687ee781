// Bodies of the batch API for Hume's clients: as its packages read them, with the scores of this
// service beside them.
import { z } from 'zod';
import { emotionLabels } from '../../models/contract/labels.ts';

export const humeGranularities = ['word', 'sentence', 'utterance', 'conversational_turn'] as const;
export type HumeGranularity = (typeof humeGranularities)[number];

/** A UUID of any version, also of none: proxies make request ids as they like. */
const humeJobId = z.guid();

/** Names of the contract that clients check. */
const contract = {
  output_contract: z.literal('oruk-native-analysis-v1'),
  hume_measurement_equivalence: z.literal(false),
};

const source = z.union([
  z.strictObject({
    type: z.literal('file'),
    filename: z.string(),
    content_type: z.string(),
    md5sum: z.string(),
  }),
  z.strictObject({ type: z.literal('url'), url: z.string() }),
]);
export type HumeSource = z.infer<typeof source>;

const interval = z.strictObject({ begin: z.number(), end: z.number() });

const prosody = z.strictObject({
  metadata: z
    .strictObject({ confidence: z.number(), detected_language: z.string().nullable() })
    .nullable(),
  grouped_predictions: z.array(
    z.strictObject({
      id: z.string().describe('Of the speaker; `unknown` without `identify_speakers`.'),
      predictions: z.array(
        z.strictObject({
          text: z.string(),
          time: interval,
          // Not z.tuple([]), whose `items: false` generators of clients do not read.
          emotions: z
            .array(z.strictObject({ name: z.string(), score: z.number() }))
            .max(0)
            .describe('Hume’s 48 dimensions are not measured.'),
        }),
      ),
    }),
  ),
});
export type HumeProsody = z.infer<typeof prosody>;

const nativeScores = z.array(z.strictObject({ label: z.enum(emotionLabels), score: z.number() }));

const native = z.strictObject({
  ...contract,
  unmapped: z.array(z.string()),
  crosswalk: z.strictObject({
    status: z.literal('unvalidated'),
    validated_dimensions: z.literal(0),
    inventory_sha256: z.string(),
  }),
  score_coverage: z.literal('selected_labels_only'),
  native: z
    .strictObject({
      segments: z.array(
        z.strictObject({
          start: z.number(),
          end: z.number(),
          text: z.string().nullable(),
          speaker: z.string().nullable(),
          emotions: nativeScores,
        }),
      ),
    })
    .describe('The scores of this service, for its own segments.'),
});
export type HumeNative = z.infer<typeof native>;

export const humePredictionSchema = z
  .strictObject({
    source,
    results: z
      .strictObject({
        predictions: z.array(
          z.strictObject({ file: z.string(), models: z.strictObject({ prosody }) }),
        ),
        errors: z.array(z.strictObject({ message: z.string(), file: z.string() })),
      })
      .nullable(),
    error: z.string().nullable(),
    oruk: native,
  })
  .meta({ id: 'HumePrediction' });
export type HumePrediction = z.infer<typeof humePredictionSchema>;

const milliseconds = z.int().describe('Unix milliseconds.');
const created = { created_timestamp_ms: milliseconds };
const started = { ...created, started_timestamp_ms: milliseconds };
const ended = { ...started, ended_timestamp_ms: milliseconds };

/** With a name of its own: what generators would call it is that of the request of a new job. */
const acceptedRequest = z
  .strictObject({
    models: z.strictObject({
      prosody: z.strictObject({
        granularity: z.enum(humeGranularities),
        identify_speakers: z.boolean(),
      }),
    }),
    urls: z.array(z.string()),
    files: z.array(
      z.strictObject({ filename: z.string(), content_type: z.string(), md5sum: z.string() }),
    ),
    callback_url: z.null(),
    notify: z.literal(false),
  })
  .meta({ id: 'HumeAcceptedRequest' });

export const humeJobSchema = z
  .strictObject({
    type: z.literal('INFERENCE'),
    job_id: humeJobId,
    request: acceptedRequest,
    state: z.union([
      z.strictObject({ status: z.literal('QUEUED'), ...created }),
      z.strictObject({ status: z.literal('IN_PROGRESS'), ...started }),
      z.strictObject({
        status: z.literal('COMPLETED'),
        ...ended,
        num_predictions: z.int(),
        num_errors: z.int(),
      }),
      z.strictObject({ status: z.literal('FAILED'), ...ended, message: z.string() }),
    ]),
    oruk: z.strictObject(contract),
  })
  .meta({ id: 'HumeJob' });
export type HumeJob = z.infer<typeof humeJobSchema>;

export const humeJobIdSchema = z.strictObject({ job_id: humeJobId }).meta({ id: 'HumeJobId' });
