// Score, Word, Segment, Usage, SpeechResult, and the results of the lite model and Spectra-2.
import { z } from 'zod';
import type { Entry } from '../case.ts';
import { answer, bodies, body, speechResults } from '../corpus.ts';
import { bool, resource, score, seconds, text, unit } from '../fields.ts';
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

const any = z.unknown();
const rate = z.string().regex(/^\d+\.\d{4,5}$/);
const cost = z.string().regex(/^\d+\.\d{6}$/);
const turn = z.strictObject({
  id: z.int().min(0),
  start: seconds,
  end: seconds,
  speaker: text,
  text,
});

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
      ['| confidence | number or null | 0-1, optional |', z.nullable(unit), 'optional'],
    ],
  }),
  ...resource({
    name: 'Segment',
    samples: segments,
    rows: [
      ['| id | integer | required |', z.int().min(0)],
      ['| start, end | number >= 0 | required |', seconds],
      ['| text | string or null | |', z.nullable(text)],
      ['| tagged_text | string or null | |', z.nullable(text)],
      ['| words | array of Word | |', z.array(any)],
      ['| emotions | array of Score | required |', z.array(score)],
      ['| styles | array of Score | required |', z.array(score)],
      ['| speaker | string or null |', z.nullable(z.string().regex(/^speaker_\d+$/))],
      ['| scores | object label -> number 0-1 |', z.record(z.string(), unit)],
      ['| raw_logits | object label -> number |', z.record(z.string(), z.number())],
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
      ['| billing_unit | enum `audio_second`, `request` |', z.literal(['audio_second', 'request'])],
      ['| rate_per_request_usd | string or null |', z.nullable(text)],
    ],
  }),
  ...resource({
    name: 'SpeechResult',
    samples: results,
    rows: [
      ['| id | string | required |', z.string().regex(/^res_[0-9a-f]+$/)],
      ['| object | const `speech.result` | required |', z.literal('speech.result')],
      [
        '| task | enum `transcription`, `emotion`, `style`, `affect`, `analysis`, `proficiency` | required |',
        z.literal(['transcription', 'emotion', 'style', 'affect', 'analysis', 'proficiency']),
      ],
      [
        '| model | string | required |',
        z.literal(['svc-resonance', 'svc-fourier', 'svc-proficiency-1']),
      ],
      [
        '| text | string or null | absent/null for emotion-only results with Resonance |',
        z.nullable(text),
      ],
      ['| tagged_text | string or null | |', z.nullable(text)],
      ['| language | string or null | |', z.nullable(text)],
      ['| duration | number >= 0 | required |', seconds],
      ['| emotions | array of Score | required |', z.array(score)],
      ['| styles | array of Score | required |', z.array(score)],
      ['| segments | array of Segment | required |', z.array(any)],
      ['| diarized | boolean | default false; true when segments are speaker turns |', bool],
      [
        '| speakers | array of string | speaker labels in order of first appearance;',
        z.array(text),
      ],
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
      ['| object | const `speech.result` | |', z.literal('speech.result'), 'required'],
      ['| model | const `svc-spectra-2` | |', z.literal('svc-spectra-2'), 'required'],
      [
        '| task | enum `transcription`, `analysis` | |',
        z.literal(['transcription', 'analysis']),
        'required',
      ],
      ['| text | string | |', text, 'required'],
      ['| duration | number | 0.045 to 60 |', z.number().min(0.045).max(60), 'required'],
      ['| emotions | array of exactly 15 items |', z.array(score).length(15), 'required'],
      ['| styles | array of exactly 16 items |', z.array(score).length(16), 'required'],
      [
        '| usage | object | audio_seconds (0.045-60), billable_seconds (1-60), rate_per_minute_usd (string',
        z.strictObject({
          audio_seconds: z.number().min(0.045).max(60),
          billable_seconds: z.number().min(1).max(60),
          rate_per_minute_usd: rate,
          estimated_cost_usd: cost,
          pricing_version: text,
          billing_unit: z.literal('audio_second'),
        }),
        'required',
      ],
    ],
  }),
  ...resource({
    name: 'Lite-model transcription result',
    samples: lite,
    rows: [
      ['| object | const `audio.transcription` | required |', z.literal('audio.transcription')],
      ['| model | const `svc-svceet` | required |', z.literal('svc-svceet')],
      ['| text | string | required |', text],
      ['| duration | number | required |', seconds],
      ['| audio_seconds | number | |', seconds],
      ['| language | const `en` | |', z.literal('en')],
      ['| asr_ms | number |', seconds],
      ['| server_ms | number |', seconds],
      ['| emotions, styles | array of Score | |', z.array(score)],
      [
        '| emotion_detection | object | present when emotion_detection=true;',
        z.strictObject({
          emotions: z.array(score),
          scores: z.record(z.string(), unit),
          thresholds: z.record(z.string(), unit),
          segments: z.array(any).min(1),
        }),
      ],
      ['| diarized | boolean | |', bool],
      ['| speakers | array of string | |', z.array(text)],
      [
        '| segments | array of {id integer, start number, end number, speaker string, text string} |',
        z.array(turn),
      ],
      [
        '| usage | object | audio_seconds, billable_seconds (numbers); billing_basis',
        z.strictObject({
          audio_seconds: seconds,
          billable_seconds: z.int().min(1),
          billing_basis: z.literal(['subscription', 'prepaid']),
          cost_microusd: z.int().min(0),
          estimated_cost_usd: cost,
          rate_per_minute_usd: rate,
          pricing_version: text,
          tasks: z.array(z.literal(['transcription', 'emotion_detection', 'diarization'])).min(1),
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
