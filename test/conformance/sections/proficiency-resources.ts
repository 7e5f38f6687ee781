// ProficiencyCheck, ProficiencyScores, ProficiencyWord.
import type { Entry } from '../case.ts';
import { bodies } from '../corpus.ts';
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
  seconds,
  text,
  unit,
  whole,
} from '../fields.ts';
import { type Service } from '../service.ts';

const proficiencies = (service: Service) =>
  bodies(service, 'proficiency', 'proficiencyRead', 'proficiencySilence');
const proficiencyScores = async (service: Service) =>
  (await proficiencies(service)).map((result) => result.proficiency);
const hash = orNull(matches(/^[0-9a-f]{64}$/));
const sha256 = matches(/^[0-9a-f]{64}$/);
const check = object({
  status: oneOf('scored', 'low_confidence', 'insufficient_audio'),
  billable: bool,
  reason: orNull(text),
});

export const proficiencyResources: readonly Entry[] = [
  ...resource({
    name: 'ProficiencyCheck',
    samples: async (service) => (await proficiencies(service)).map((result) => result.check),
    rows: [
      [
        '| status | enum `scored`, `low_confidence`, `insufficient_audio` | required |',
        oneOf('scored', 'low_confidence', 'insufficient_audio'),
      ],
      [
        '| billable | boolean | required; false when the check is not valid and not charged |',
        bool,
      ],
      ['| reason | string or null | default null |', orNull(text)],
    ],
  }),
  ...resource({
    name: 'ProficiencyScores',
    samples: proficiencyScores,
    rows: [
      [
        '| continuous_check | {status enum `scored`, `insufficient_audio`, `unavailable`; reason string or null} |',
        object({
          status: oneOf('scored', 'insufficient_audio', 'unavailable'),
          reason: orNull(text),
        }),
        'required',
      ],
      [
        '| continuous_metadata | {speech_seconds number, word_count integer, transcript_used boolean} |',
        object({ speech_seconds: seconds, word_count: whole(0), transcript_used: bool }),
        'required',
      ],
      ['| score | number 0-1 or null |', orNull(unit)],
      ['| model_version | const `continuous-pilot-v2` | required |', is('continuous-pilot-v2')],
      ['| word_score_version | const `v2` | required |', is('v2')],
      ['| scope | string | required |', text],
      [
        '| score_direction | const `0_low_proficiency__1_high_proficiency` | required |',
        is('0_low_proficiency__1_high_proficiency'),
      ],
      [
        '| status | enum `scored`, `partial_word_scores`, `unscorable` | required |',
        oneOf('scored', 'partial_word_scores', 'unscorable'),
      ],
      [
        '| components | {accuracy, fluency, prosody, each number 0-1} or null | |',
        orNull(object({ accuracy: unit, fluency: unit, prosody: unit })),
      ],
      ['| words | array of ProficiencyWord | |', list(() => true)],
      ['| speech_seconds | number | required; legacy, VAD-based |', seconds],
      ['| word_count | integer | required |', whole(0)],
      ['| scored_word_count | integer | required |', whole(0)],
      ['| transcript_used | boolean | required;', bool],
      ['| reason | string or null | |', orNull(text)],
      ['| word_calibration, recording_calibration, alignment_method | string | required |', text],
      ['| aggregation | string or null | |', orNull(text)],
      ['| window_count | integer or null | |', orNull(whole(0))],
      [
        '| encoder_sha256, alignment_checkpoint_sha256, phone_lexicon_sha256 | string or null | |',
        hash,
      ],
      ['| word_checkpoint_sha256 | array of string | |', list(sha256)],
      ['| accentedness | null | always null |', is(null)],
      ['| legacy_model_version | const `fluency_cefr-v2-final` | |', is('fluency_cefr-v2-final')],
      ['| legacy_check | ProficiencyCheck or null | alias of top-level check |', orNull(check)],
      [
        '| cefr | enum `A1`, `A2`, `B1`, `B2`, `C1`, `C2` | required; most likely band |',
        oneOf('A1', 'A2', 'B1', 'B2', 'C1', 'C2'),
      ],
      ['| cefr_score | number 0-5 | required; 0 = A1 ... 5 = C2 |', number(0, 5)],
      ['| cefr_probs | object string -> number | required |', map(unit)],
      ['| confidence | number 0-1 | required; probability of the reported band |', unit],
      [
        '| fluency | enum `low`, `intermediate`, `high` | required |',
        oneOf('low', 'intermediate', 'high'),
      ],
      ['| fluency_probs | object string -> number | required |', map(unit)],
      ['| fluency_score | number 0-10 | required |', number(0, 10)],
      ['| features | object string -> number | required;', map(number())],
    ],
  }),
  ...resource({
    name: 'ProficiencyWord',
    samples: async (service) => (await proficiencyScores(service)).flatMap(({ words }) => words),
    closed:
      '**ProficiencyWord**: text (string, required), start_s (number or null), end_s (number or null), score (number 0-1 or null), status (enum `scored`, `unscorable`, required), scope (string or null), accentedness (null).',
    rows: [
      ['| text |', text, 'required'],
      ['| start_s |', orNull(seconds)],
      ['| end_s |', orNull(seconds)],
      ['| score |', orNull(unit)],
      ['| status |', oneOf('scored', 'unscorable'), 'required'],
      ['| scope |', orNull(text)],
      ['| accentedness |', is(null)],
    ],
  }),
];
