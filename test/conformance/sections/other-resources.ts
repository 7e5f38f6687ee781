// Proficiency, Resonance-2, synthetic speech, access, sessions, tokens, errors, catalogs.
import { z } from 'zod';
import type { Entry } from '../case.ts';
import { answer, bodies } from '../corpus.ts';
import { bool, resource, score, seconds, text, unit } from '../fields.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const humanOrSynthetic = z.literal(['human', 'synthetic']);
const usage = {
  audio_seconds: seconds,
  billable_seconds: seconds,
  rate_per_minute_usd: text,
  estimated_cost_usd: text,
  pricing_version: text,
  billing_unit: z.literal(['audio_second', 'request']),
  rate_per_request_usd: z.nullable(text),
};

export const otherResources: readonly Entry[] = [
  ...resource({
    name: 'Resonance-2 result',
    needs: 'resonance-2',
    samples: (service) => bodies(service, 'resonance2', 'resonance2Precision', 'resonance2Silence'),
    closed:
      'No additional properties. Required: duration, window_count, scores, axes, unipolar, labels, regime, calibrated, abstained, abstention_reason, inference_ms, id, usage.',
    rows: [
      ['| model | const `svc-resonance-2` | default |', z.literal('svc-resonance-2')],
      [
        '| model_revision | string | one of two fixed 64-hex-character revision identifiers |',
        sha256,
      ],
      ['| calibration_revision | string | one fixed 64-hex-character constant |', sha256],
      ['| duration | number | 0.1 to 120 |', z.number().min(0.1).max(120), 'required'],
      ['| window_count | integer | 1 to 6 |', z.int().min(1).max(6), 'required'],
      ['| aggregation | const `mean_window_logits` | |', z.literal('mean_window_logits')],
      [
        '| scores | object label -> number 0-1 | all 31 category scores |',
        z.record(z.string(), unit),
        'required',
      ],
      [
        '| axes | object label -> number -1..1 | six signed opposite axes |',
        z.record(z.string(), z.number().min(-1).max(1)),
        'required',
      ],
      [
        '| unipolar | object label -> number 0-1 | 19 unipolar scores |',
        z.record(z.string(), unit),
        'required',
      ],
      [
        '| labels | array of {label string, score number 0-1}, max 31 |',
        z.array(score).max(31),
        'required',
      ],
      ['| regime | enum `f1`, `precision` | |', z.literal(['f1', 'precision']), 'required'],
      ['| calibrated | const true | |', z.literal(true), 'required'],
      ['| abstained | boolean | |', bool, 'required'],
      [
        '| abstention_reason | const `digital_silence` or null | |',
        z.literal(['digital_silence', null]),
        'required',
      ],
      ['| inference_ms | number >= 0 | |', seconds, 'required'],
      ['| id | string | |', text, 'required'],
      ['| object | const `speech.affect.result` | |', z.literal('speech.affect.result')],
      ['| task | const `affect` | |', z.literal('affect')],
      [
        '| usage | object | audio_seconds, billable_seconds (one-second minimum), rate_per_minute_usd,',
        z.strictObject({
          ...usage,
          billable_seconds: z.number().min(1),
          rate_per_hour_usd: z.nullable(text),
        }),
        'required',
      ],
    ],
  }),
  ...resource({
    name: 'Resonance-2 access status',
    samples: (service) => bodies(service, 'access'),
    rows: [
      ['| model | const `svc-resonance-2` | required |', z.literal('svc-resonance-2')],
      [
        '| status | enum `not_requested`, `pending`, `approved`, `denied`, `revoked` | required |',
        z.literal(['not_requested', 'pending', 'approved', 'denied', 'revoked']),
      ],
      ['| approved | boolean | required |', bool],
      ['| request_access_url | string (URI) | optional |', text, 'optional'],
    ],
  }),
  ...resource({
    name: 'Synthetic-speech detection result',
    needs: 'paid',
    samples: (service) => bodies(service, 'synthetic'),
    closed: 'No additional properties. All listed fields are required.',
    rows: (
      [
        ['| object | const `synthetic_speech.result` | |', z.literal('synthetic_speech.result')],
        ['| model | const `svczero` | |', z.literal('svczero')],
        ['| model_revision | const `2026-10-05-adapt-216` | |', z.literal('2026-10-05-adapt-216')],
        ['| duration | number 1-60 | |', z.number().min(1).max(60)],
        ['| prediction | enum `human`, `synthetic` | |', humanOrSynthetic],
        ['| synthetic_score | number 0-1 | uncalibrated |', unit],
        ['| threshold | const 0.5 | fixed |', z.literal(0.5)],
        ['| score_type | const `uncalibrated_sigmoid` | |', z.literal('uncalibrated_sigmoid')],
        [
          '| aggregation | const `coverage_weighted_mean_logit` | experimental for long audio |',
          z.literal('coverage_weighted_mean_logit'),
        ],
        [
          '| segments | array of 1 to 10 items {start number 0-60, end number >0 and <=60, synthetic_score number 0-1, prediction enum `human`, `synthetic`} | |',
          z
            .array(
              z.strictObject({
                start: z.number().min(0).max(60),
                end: z.number().positive().max(60),
                synthetic_score: unit,
                prediction: humanOrSynthetic,
              }),
            )
            .min(1)
            .max(10),
        ],
        ['| warnings | array of string, max 8 | |', z.array(text).max(8)],
        ['| id | string | |', text],
        ['| usage | object with free-form members | |', z.record(z.string(), z.unknown())],
      ] as const
    ).map(([row, valid]) => [row, valid, 'required'] as const),
  }),
  ...resource({
    name: 'Access entitlement',
    needs: 'paid',
    samples: (service) => bodies(service, 'entitlement'),
    closed: 'All seven top-level and three customer fields are required.',
    also: ['object'],
    rows: (
      [
        ['| model | const `svczero` |', z.literal('svczero')],
        [
          '| customer | {key_id string, organization_id string, plan string} |',
          z.strictObject({ key_id: text, organization_id: text, plan: text }),
        ],
        ['| entitlement | const `included_with_paid_plan` |', z.literal('included_with_paid_plan')],
        ['| billed | const false |', z.literal(false)],
        ['| consumes_credits | const false |', z.literal(false)],
        ['| consumes_plan_minutes | const false |', z.literal(false)],
      ] as const
    ).map(([row, valid]) => [row, valid, 'required'] as const),
  }),
  ...resource({
    name: 'Prepared session',
    samples: (service) => bodies(service, 'session'),
    closed: 'No additional properties. All fields required except capacity_seconds.',
    rows: [
      ['| object | const `speech.session` | |', z.literal('speech.session'), 'required'],
      ['| model | const `svc-spectra-2` | |', z.literal('svc-spectra-2'), 'required'],
      ['| token | string | private; sent back as header `X-Svc-Session`', text, 'required'],
      [
        '| expires_at_ms | integer | Unix milliseconds; preparation does not extend it |',
        z.int().min(1),
        'required',
      ],
      [
        '| request_ids | array of string, 1 to 128 items |',
        z.array(text).min(1).max(128),
        'required',
      ],
      ['| capacity_seconds | integer >= 0 |', z.int().min(0), 'optional'],
    ],
  }),
  ...resource({
    name: 'Stream session',
    samples: (service) => bodies(service, 'streamSession'),
    closed: 'No additional properties. All fields required.',
    rows: (
      [
        ['| object | const `speech.stream_session` | |', z.literal('speech.stream_session')],
        ['| model | const `svc-spectra-2` | |', z.literal('svc-spectra-2')],
        ['| task | enum `transcription`, `analysis` | |', z.literal(['transcription', 'analysis'])],
        ['| request_id | string | |', text],
        ['| url | string (URI) | WebSocket address to open', z.string().regex(/^wss?:\/\/[^?]+$/)],
        ['| protocol | const `svc.spectra2.v1` | |', z.literal('svc.spectra2.v1')],
        [
          '| ticket | string | private one-request credential; never log |',
          z.string().regex(/^[A-Za-z0-9._-]+$/),
        ],
        [
          '| expires_at_ms | integer | original prepared-session deadline, Unix milliseconds |',
          z.int().min(1),
        ],
        ['| max_audio_seconds | number >0, max 30 |', z.number().positive().max(30)],
      ] as const
    ).map(([row, valid]) => [row, valid, 'required'] as const),
  }),
  ...resource({
    name: 'Client token result',
    samples: (service) => bodies(service, 'clientToken'),
    rows: (
      [
        ['| token | string |', z.string().regex(/^[A-Za-z0-9._-]{1,96}$/)],
        ['| url | string |', z.string().regex(/^wss?:\/\//)],
        ['| expires_in | integer |', z.literal(60)],
        ['| single_use | boolean |', z.literal(true)],
        ['| protocol | string |', z.literal('svceet.pcm.v1')],
      ] as const
    ).map(([row, valid]) => [row, valid, 'required'] as const),
  }),
  ...resource({
    name: 'Error envelope',
    samples: async (service) => [
      (await answer(service, 'missingFile')).body.error,
      (await answer(service, 'unauthorized')).body.error,
    ],
    rows: [
      ['| error.type | string | required |', text],
      ['| error.code | string | required |', text],
      ['| error.message | string | required |', text],
      ['| error.param | string or null | |', z.nullable(text)],
      ['| error.request_id | string or null | |', z.nullable(text)],
    ],
  }),
];
