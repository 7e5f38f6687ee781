// Score, Word, Segment, Usage, SpeechResult, and the results of the lite model and Spectra-2.
import type { Entry } from '../case.ts';
import { answer, bodies, body, speechResults } from '../corpus.ts';
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
  type Check,
} from '../fields.ts';
import { ok, type Service } from '../service.ts';

const results = (service: Service) => bodies(service, ...speechResults);
const segments = async (service: Service) =>
  (await results(service)).flatMap((result) => result.segments);
const words = async (service: Service) =>
  (await segments(service)).flatMap((segment) => segment.words);
const scores = async (service: Service) =>
  (await results(service)).flatMap((result) => [...result.emotions, ...result.styles]);
const usages = async (service: Service) => (await results(service)).map((result) => result.usage);
const spectra = (service: Service) => bodies(service, 'spectra', 'spectraAnalysis');
const lite = (service: Service) => bodies(service, 'lite', 'liteVerbose', 'liteTasks');

const any: Check = () => true;
const rate = matches(/^\d+\.\d{4,5}$/);
const cost = matches(/^\d+\.\d{6}$/);
const turn = object({ id: whole(0), start: seconds, end: seconds, speaker: text, text });

export const speechResources: readonly Entry[] = [
  ...resource({
    name: 'Score',
    samples: scores,
    rows: [
      ['| label | string | required |', text],
      ['| score | number | required, 0-1 |', unit],
    ],
  }),
  ...resource({
    name: 'Word',
    samples: words,
    rows: [
      ['| word | string | required |', text],
      ['| start | number >= 0 | required |', seconds],
      ['| end | number >= 0 | required |', seconds],
      ['| confidence | number or null | 0-1, optional |', orNull(unit), 'optional'],
    ],
  }),
  ...resource({
    name: 'Segment',
    samples: segments,
    rows: [
      ['| id | integer | required |', whole(0)],
      ['| start, end | number >= 0 | required |', seconds],
      ['| text | string or null | |', orNull(text)],
      ['| tagged_text | string or null | |', orNull(text)],
      ['| words | array of Word | |', list(any)],
      ['| emotions | array of Score | required |', list(score)],
      ['| styles | array of Score | required |', list(score)],
      ['| speaker | string or null |', orNull(matches(/^speaker_\d+$/))],
      ['| scores | object label -> number 0-1 |', map(unit)],
      ['| raw_logits | object label -> number |', map(number())],
    ],
  }),
  ...resource({
    name: 'Usage',
    samples: usages,
    rows: [
      ['| audio_seconds | number >= 0 | required, measured duration |', seconds],
      ['| billable_seconds | number >= 0 | required |', seconds],
      ['| rate_per_minute_usd | string | required, reference |', rate],
      ['| estimated_cost_usd | string | required, reference |', cost],
      ['| pricing_version | string | required |', text],
      ['| billing_unit | enum `audio_second`, `request` |', oneOf('audio_second', 'request')],
      ['| rate_per_request_usd | string or null |', orNull(text)],
    ],
  }),
  ...resource({
    name: 'SpeechResult',
    samples: results,
    rows: [
      ['| id | string | required |', matches(/^res_[0-9a-f]+$/)],
      ['| object | const `speech.result` | required |', is('speech.result')],
      [
        '| task | enum `transcription`, `emotion`, `style`, `affect`, `analysis`, `proficiency` | required |',
        oneOf('transcription', 'emotion', 'style', 'affect', 'analysis', 'proficiency'),
      ],
      ['| model | string | required |', oneOf('svc-resonance', 'svc-fourier', 'svc-proficiency-1')],
      [
        '| text | string or null | absent/null for emotion-only results with Resonance |',
        orNull(text),
      ],
      ['| tagged_text | string or null | |', orNull(text)],
      ['| language | string or null | |', orNull(text)],
      ['| duration | number >= 0 | required |', seconds],
      ['| emotions | array of Score | required |', list(score)],
      ['| styles | array of Score | required |', list(score)],
      ['| segments | array of Segment | required |', list(any)],
      ['| diarized | boolean | default false; true when segments are speaker turns |', bool],
      ['| speakers | array of string | speaker labels in order of first appearance;', list(text)],
      ['| usage | Usage | required |', any],
    ],
  }),
  ...resource({
    name: 'Spectra2Result',
    samples: spectra,
    closed:
      'No additional properties are allowed. Required: id, object, model, task, text, duration, emotions, styles, usage.',
    rows: [
      ['| id | string | |', text, 'required'],
      ['| object | const `speech.result` | |', is('speech.result'), 'required'],
      ['| model | const `svc-spectra-2` | |', is('svc-spectra-2'), 'required'],
      [
        '| task | enum `transcription`, `analysis` | |',
        oneOf('transcription', 'analysis'),
        'required',
      ],
      ['| text | string | |', text, 'required'],
      ['| duration | number | 0.045 to 60 |', number(0.045, 60), 'required'],
      ['| emotions | array of exactly 15 items |', list(score, 15, 15), 'required'],
      ['| styles | array of exactly 16 items |', list(score, 16, 16), 'required'],
      [
        '| usage | object | audio_seconds (0.045-60), billable_seconds (1-60), rate_per_minute_usd (string',
        object({
          audio_seconds: number(0.045, 60),
          billable_seconds: number(1, 60),
          rate_per_minute_usd: rate,
          estimated_cost_usd: cost,
          pricing_version: text,
          billing_unit: is('audio_second'),
        }),
        'required',
      ],
    ],
  }),
  ...resource({
    name: 'Lite-model transcription result',
    samples: lite,
    rows: [
      ['| object | const `audio.transcription` | required |', is('audio.transcription')],
      ['| model | const `svc-svceet` | required |', is('svc-svceet')],
      ['| text | string | required |', text],
      ['| duration | number | required |', seconds],
      ['| audio_seconds | number | |', seconds],
      ['| language | const `en` | |', is('en')],
      ['| asr_ms | number |', seconds],
      ['| server_ms | number |', seconds],
      ['| emotions, styles | array of Score | |', list(score)],
      [
        '| emotion_detection | object | present when emotion_detection=true;',
        object({
          emotions: list(score),
          scores: map(unit),
          thresholds: map(unit),
          segments: list(any, 1),
        }),
      ],
      ['| diarized | boolean | |', bool],
      ['| speakers | array of string | |', list(text)],
      [
        '| segments | array of {id integer, start number, end number, speaker string, text string} |',
        list(turn),
      ],
      [
        '| usage | object | audio_seconds, billable_seconds (numbers); billing_basis',
        object({
          audio_seconds: seconds,
          billable_seconds: whole(1),
          billing_basis: oneOf('subscription', 'prepaid'),
          cost_microusd: whole(0),
          estimated_cost_usd: cost,
          rate_per_minute_usd: rate,
          pricing_version: text,
          tasks: list(oneOf('transcription', 'emotion_detection', 'diarization'), 1),
        }),
        'required',
      ],
      ['| request_id | string | |', text],
    ],
  }),
  {
    section: 'Lite-model transcription result',
    from: 'interface.md',
    sentence: 'With response_format `text` the body is plain text.',
    async check(service) {
      const plain = await answer(service, 'liteText');
      if (!plain.headers.get('content-type')?.startsWith('text/plain'))
        throw new Error('it is not');
      if (ok(plain) !== (await body(service, 'lite')).text) throw new Error('it is another text');
    },
  },
];
