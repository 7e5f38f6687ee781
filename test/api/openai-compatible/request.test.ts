// The form of OpenAI's clients: unsupported fields and values are rejected with a clear message.
import test from 'ava';
import { granularitiesField, parseOpenAiFields } from '../../../api/openai-compatible/request.ts';
import { ServiceError } from '../../../models/contract/errors.ts';

function parse(given: Readonly<Record<string, string>>) {
  const fields = Object.assign(new Map(Object.entries(given)), {
    unusable: new Set<string>(),
    maxFieldBytes: 4_096,
  });
  return parseOpenAiFields(fields);
}

const options = { diarize: false, numSpeakers: null, includeLogits: false };

test('whisper-1 means the default model; the formats and their options are read', (t) => {
  t.deepEqual(parse({ model: 'whisper-1' }), {
    model: 'svc-resonance',
    options,
    answer: { format: 'json', stream: false, granularities: ['segment'] },
  });
  const verbose = { response_format: 'verbose_json', [granularitiesField]: 'word\nsegment' };
  t.deepEqual(parse({ model: 'svc-fourier', temperature: '0.0', ...verbose }), {
    model: 'svc-fourier',
    options,
    answer: { format: 'verbose_json', stream: false, granularities: ['word', 'segment'] },
  });
  t.is(parse({ language: 'de' }).options.language, 'de');
  t.is(parse({ language: 'auto' }).options.language, undefined);
  t.true(parse({ format_numbers: '1' }).options.formatNumbers);
  t.deepEqual(parse({ format_numbers: 'false' }).options, options);
  t.deepEqual(parse({ prompt: 'Łukasz, Xanthippe' }).options, {
    ...options,
    vocabulary: ['Łukasz', 'Xanthippe'],
  });
  t.deepEqual(parse({ prompt: 'Łukasz', 'keywords[]': 'Ann Lee\nSiobhan' }).options, {
    ...options,
    vocabulary: ['Ann Lee', 'Siobhan', 'Łukasz'],
  });
  const diarized = parse({ response_format: 'diarized_json', stream: 'True' });
  t.true(diarized.options.diarize);
  t.true(diarized.answer.stream);
});

const rejections = [
  [{ model: 'gpt-4o-transcribe' }, 'model_not_found', 'model', /use whisper-1 or svc-resonance/],
  [{ language: 'xx' }, 'invalid_field', 'language', /got "xx"\.$/],
  [{ 'include[]': 'logprobs' }, 'unknown_field', 'include[]', /is not a field/],
  [{ 'keywords[]': 'Ann\nB' }, 'invalid_field', 'keywords[]', /^`keywords\[\]` takes terms of/],
  [{ 'keywords[]': 'A\0n' }, 'invalid_field', 'keywords[]', /^`keywords\[\]` must not contain/],
  [
    { temperature: '0.4' },
    'invalid_field',
    'temperature',
    /must be 0: it is raised where a text is rejected, and only there\.$/,
  ],
  [{ temperature: 'cold' }, 'invalid_field', 'temperature', /must be 0/],
  [{ response_format: 'docx' }, 'invalid_field', 'response_format', /got "docx"/],
  [{ chunking_strategy: '{"type":"server_vad"}' }, 'invalid_field', 'chunking_strategy', /auto/],
  [{ [granularitiesField]: 'word' }, 'invalid_field', granularitiesField, /verbose_json, got json/],
  [
    { response_format: 'verbose_json', [granularitiesField]: 'letter' },
    'invalid_field',
    granularitiesField,
    /takes word and segment, got "letter"/,
  ],
  [{ stream: 'true', response_format: 'srt' }, 'invalid_field', 'stream', /format` is srt\.$/],
  [
    { model: 'svc-fourier', response_format: 'diarized_json' },
    'diarization_unsupported',
    'response_format',
    /svc-resonance/,
  ],
] as const;

test('unsupported fields and values are rejected by name', (t) => {
  for (const [given, code, param, message] of rejections) {
    const error = t.throws(() => parse(given), { instanceOf: ServiceError });
    t.is(error?.code, code, JSON.stringify(given));
    t.true(error?.param?.startsWith(param), `${error?.param} is not ${param}`);
    t.regex(error?.message ?? '', message);
  }
});
