// ProficiencyCheck, ProficiencyScores, ProficiencyWord.
import { z } from 'zod';
import type { Entry } from '../case.ts';
import { bodies } from '../corpus.ts';
import { bool, resource, seconds, text, unit } from '../fields.ts';
import { type Service } from '../service.ts';

const proficiencies = (service: Service) =>
  bodies(service, 'proficiency', 'proficiencyRead', 'proficiencySilence');
const proficiencyScores = async (service: Service) =>
  (await proficiencies(service)).map((result) => result.proficiency);
const hash = z.nullable(z.string().regex(/^[0-9a-f]{64}$/));
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const check = z.strictObject({
  status: z.literal(['scored', 'low_confidence', 'insufficient_audio']),
  billable: bool,
  reason: z.nullable(text),
});

export const proficiencyResources: readonly Entry[] = [
  ...resource({
    name: 'ProficiencyCheck',
    samples: async (service) => (await proficiencies(service)).map((result) => result.check),
    rows: [
      [
        '| status | enum `scored`, `low_confidence`, `insufficient_audio` | required |',
        z.literal(['scored', 'low_confidence', 'insufficient_audio']),
      ],
      [
        '| billable | boolean | required; false when the check is not valid and not charged |',
        bool,
      ],
      ['| reason | string or null | default null |', z.nullable(text)],
    ],
  }),
  ...resource({
    name: 'ProficiencyScores',
    samples: proficiencyScores,
    rows: [
      [
        '| continuous_check | {status enum `scored`, `insufficient_audio`, `unavailable`; reason string or null} |',
        z.strictObject({
          status: z.literal(['scored', 'insufficient_audio', 'unavailable']),
          reason: z.nullable(text),
        }),
        'required',
      ],
      [
        '| continuous_metadata | {speech_seconds number, word_count integer, transcript_used boolean} |',
        z.strictObject({
          speech_seconds: seconds,
          word_count: z.int().min(0),
          transcript_used: bool,
        }),
        'required',
      ],
      ['| score | number 0-1 or null |', z.nullable(unit)],
      [
        '| model_version | const `continuous-pilot-v2` | required |',
        z.literal('continuous-pilot-v2'),
      ],
      ['| word_score_version | const `v2` | required |', z.literal('v2')],
      ['| scope | string | required |', text],
      [
        '| score_direction | const `0_low_proficiency__1_high_proficiency` | required |',
        z.literal('0_low_proficiency__1_high_proficiency'),
      ],
      [
        '| status | enum `scored`, `partial_word_scores`, `unscorable` | required |',
        z.literal(['scored', 'partial_word_scores', 'unscorable']),
      ],
      [
        '| components | {accuracy, fluency, prosody, each number 0-1} or null | |',
        z.nullable(z.strictObject({ accuracy: unit, fluency: unit, prosody: unit })),
      ],
      ['| words | array of ProficiencyWord | |', z.array(z.unknown())],
      ['| speech_seconds | number | required; legacy, VAD-based |', seconds],
      ['| word_count | integer | required |', z.int().min(0)],
      ['| scored_word_count | integer | required |', z.int().min(0)],
      ['| transcript_used | boolean | required;', bool],
      ['| reason | string or null | |', z.nullable(text)],
      ['| word_calibration, recording_calibration, alignment_method | string | required |', text],
      ['| aggregation | string or null | |', z.nullable(text)],
      ['| window_count | integer or null | |', z.nullable(z.int().min(0))],
      [
        '| encoder_sha256, alignment_checkpoint_sha256, phone_lexicon_sha256 | string or null | |',
        hash,
      ],
      ['| word_checkpoint_sha256 | array of string | |', z.array(sha256)],
      ['| accentedness | null | always null |', z.literal(null)],
      [
        '| legacy_model_version | const `fluency_cefr-v2-final` | |',
        z.literal('fluency_cefr-v2-final'),
      ],
      ['| legacy_check | ProficiencyCheck or null | alias of top-level check |', z.nullable(check)],
      [
        '| cefr | enum `A1`, `A2`, `B1`, `B2`, `C1`, `C2` | required; most likely band |',
        z.literal(['A1', 'A2', 'B1', 'B2', 'C1', 'C2']),
      ],
      ['| cefr_score | number 0-5 | required; 0 = A1 ... 5 = C2 |', z.number().min(0).max(5)],
      ['| cefr_probs | object string -> number | required |', z.record(z.string(), unit)],
      ['| confidence | number 0-1 | required; probability of the reported band |', unit],
      [
        '| fluency | enum `low`, `intermediate`, `high` | required |',
        z.literal(['low', 'intermediate', 'high']),
      ],
      ['| fluency_probs | object string -> number | required |', z.record(z.string(), unit)],
      ['| fluency_score | number 0-10 | required |', z.number().min(0).max(10)],
      ['| features | object string -> number | required;', z.record(z.string(), z.number())],
    ],
  }),
  ...resource({
    name: 'ProficiencyWord',
    samples: async (service) => (await proficiencyScores(service)).flatMap(({ words }) => words),
    closed:
      '**ProficiencyWord**: text (string, required), start_s (number or null), end_s (number or null), score (number 0-1 or null), status (enum `scored`, `unscorable`, required), scope (string or null), accentedness (null).',
    rows: [
      ['text (string, required)', text, 'required'],
      ['start_s (number or null)', z.nullable(seconds)],
      ['end_s (number or null)', z.nullable(seconds)],
      ['score (number 0-1 or null)', z.nullable(unit)],
      [
        'status (enum `scored`, `unscorable`, required)',
        z.literal(['scored', 'unscorable']),
        'required',
      ],
      ['scope (string or null)', z.nullable(text)],
      ['accentedness (null)', z.literal(null)],
    ],
  }),
];
