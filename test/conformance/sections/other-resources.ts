// Proficiency, Resonance-2, synthetic speech, access, sessions, tokens, errors, catalogs.
import type { Entry } from '../case.ts';
import { answer, bodies } from '../corpus.ts';
import {
  bool,
  is,
  list,
  map,
  matches,
  number,
  object,
  oneOf,
  orNull,
  resource,
  score,
  seconds,
  text,
  unit,
  whole,
} from '../fields.ts';

const sha256 = matches(/^[0-9a-f]{64}$/);

const humanOrSynthetic = oneOf('human', 'synthetic');
const usage = {
  audio_seconds: seconds,
  billable_seconds: seconds,
  rate_per_minute_usd: text,
  estimated_cost_usd: text,
  pricing_version: text,
  billing_unit: oneOf('audio_second', 'request'),
  rate_per_request_usd: orNull(text),
};

export const otherResources: readonly Entry[] = [
  ...resource({
    name: 'Resonance-2 result',
    needs: 'resonance-2',
    samples: (service) => bodies(service, 'resonance2', 'resonance2Precision', 'resonance2Silence'),
    closed:
      'No additional properties. Required: duration, window_count, scores, axes, unipolar, labels, regime, calibrated, abstained, abstention_reason, inference_ms, id, usage.',
    rows: [
      ['| model | const `svc-resonance-2` | default |', is('svc-resonance-2')],
      [
        '| model_revision | string | one of two fixed 64-hex-character revision identifiers |',
        sha256,
      ],
      ['| calibration_revision | string | one fixed 64-hex-character constant |', sha256],
      ['| duration | number | 0.1 to 120 |', number(0.1, 120), 'required'],
      ['| window_count | integer | 1 to 6 |', whole(1, 6), 'required'],
      ['| aggregation | const `mean_window_logits` | |', is('mean_window_logits')],
      ['| scores | object label -> number 0-1 | all 31 category scores |', map(unit), 'required'],
      [
        '| axes | object label -> number -1..1 | six signed opposite axes |',
        map(number(-1, 1)),
        'required',
      ],
      ['| unipolar | object label -> number 0-1 | 19 unipolar scores |', map(unit), 'required'],
      [
        '| labels | array of {label string, score number 0-1}, max 31 |',
        list(score, 0, 31),
        'required',
      ],
      ['| regime | enum `f1`, `precision` | |', oneOf('f1', 'precision'), 'required'],
      ['| calibrated | const true | |', is(true), 'required'],
      ['| abstained | boolean | |', bool, 'required'],
      [
        '| abstention_reason | const `digital_silence` or null | |',
        oneOf('digital_silence', null),
        'required',
      ],
      ['| inference_ms | number >= 0 | |', seconds, 'required'],
      ['| id | string | |', text, 'required'],
      ['| object | const `speech.affect.result` | |', is('speech.affect.result')],
      ['| task | const `affect` | |', is('affect')],
      [
        '| usage | object | audio_seconds, billable_seconds (one-second minimum), rate_per_minute_usd,',
        object({ ...usage, billable_seconds: number(1), rate_per_hour_usd: orNull(text) }),
        'required',
      ],
    ],
  }),
  ...resource({
    name: 'Resonance-2 access status',
    samples: (service) => bodies(service, 'access'),
    rows: [
      ['| model | const `svc-resonance-2` | required |', is('svc-resonance-2')],
      [
        '| status | enum `not_requested`, `pending`, `approved`, `denied`, `revoked` | required |',
        oneOf('not_requested', 'pending', 'approved', 'denied', 'revoked'),
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
        ['| object | const `synthetic_speech.result` | |', is('synthetic_speech.result')],
        ['| model | const `svczero` | |', is('svczero')],
        ['| model_revision | const `2026-10-05-adapt-216` | |', is('2026-10-05-adapt-216')],
        ['| duration | number 1-60 | |', number(1, 60)],
        ['| prediction | enum `human`, `synthetic` | |', humanOrSynthetic],
        ['| synthetic_score | number 0-1 | uncalibrated |', unit],
        ['| threshold | const 0.5 | fixed |', is(0.5)],
        ['| score_type | const `uncalibrated_sigmoid` | |', is('uncalibrated_sigmoid')],
        [
          '| aggregation | const `coverage_weighted_mean_logit` | experimental for long audio |',
          is('coverage_weighted_mean_logit'),
        ],
        [
          '| segments | array of 1 to 10 items {start number 0-60, end number >0 and <=60, synthetic_score number 0-1, prediction enum `human`, `synthetic`} | |',
          list(
            object({
              start: number(0, 60),
              end: number(1e-9, 60),
              synthetic_score: unit,
              prediction: humanOrSynthetic,
            }),
            1,
            10,
          ),
        ],
        ['| warnings | array of string, max 8 | |', list(text, 0, 8)],
        ['| id | string | |', text],
        ['| usage | object with free-form members | |', map(() => true)],
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
        ['| model | const `svczero` |', is('svczero')],
        [
          '| customer | {key_id string, organization_id string, plan string} |',
          object({ key_id: text, organization_id: text, plan: text }),
        ],
        ['| entitlement | const `included_with_paid_plan` |', is('included_with_paid_plan')],
        ['| billed | const false |', is(false)],
        ['| consumes_credits | const false |', is(false)],
        ['| consumes_plan_minutes | const false |', is(false)],
      ] as const
    ).map(([row, valid]) => [row, valid, 'required'] as const),
  }),
  ...resource({
    name: 'Prepared session',
    samples: (service) => bodies(service, 'session'),
    closed: 'No additional properties. All fields required except capacity_seconds.',
    rows: [
      ['| object | const `speech.session` | |', is('speech.session'), 'required'],
      ['| model | const `svc-spectra-2` | |', is('svc-spectra-2'), 'required'],
      ['| token | string | private; sent back as header `X-Svc-Session`', text, 'required'],
      [
        '| expires_at_ms | integer | Unix milliseconds; preparation does not extend it |',
        whole(1),
        'required',
      ],
      ['| request_ids | array of string, 1 to 128 items |', list(text, 1, 128), 'required'],
      ['| capacity_seconds | integer >= 0 |', whole(0), 'optional'],
    ],
  }),
  ...resource({
    name: 'Stream session',
    samples: (service) => bodies(service, 'streamSession'),
    closed: 'No additional properties. All fields required.',
    rows: (
      [
        ['| object | const `speech.stream_session` | |', is('speech.stream_session')],
        ['| model | const `svc-spectra-2` | |', is('svc-spectra-2')],
        ['| task | enum `transcription`, `analysis` | |', oneOf('transcription', 'analysis')],
        ['| request_id | string | |', text],
        ['| url | string (URI) | WebSocket address to open', matches(/^wss?:\/\/[^?]+$/)],
        ['| protocol | const `svc.spectra2.v1` | |', is('svc.spectra2.v1')],
        [
          '| ticket | string | private one-request credential; never log |',
          matches(/^[A-Za-z0-9._-]+$/),
        ],
        [
          '| expires_at_ms | integer | original prepared-session deadline, Unix milliseconds |',
          whole(1),
        ],
        ['| max_audio_seconds | number >0, max 30 |', number(1e-9, 30)],
      ] as const
    ).map(([row, valid]) => [row, valid, 'required'] as const),
  }),
  ...resource({
    name: 'Client token result',
    samples: (service) => bodies(service, 'clientToken'),
    rows: (
      [
        ['| token | string |', matches(/^[A-Za-z0-9._-]{1,96}$/)],
        ['| url | string |', matches(/^wss?:\/\//)],
        ['| expires_in | integer |', is(60)],
        ['| single_use | boolean |', is(true)],
        ['| protocol | string |', is('svceet.pcm.v1')],
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
      ['| error.param | string or null | |', orNull(text)],
      ['| error.request_id | string or null | |', orNull(text)],
    ],
  }),
];
