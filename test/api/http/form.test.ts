// Forms and queries against their schemas: each rejection has its code, its field and a sentence,
// and OpenAPI shows the very schema that validates.
import test from 'ava';
import { readQuery } from '../../../api/http/query.ts';
import type { Fields } from '../../../api/http/multipart.ts';
import { parseLiteFields } from '../../../api/lite/request.ts';
import { parseProficiencyFields } from '../../../api/proficiency/request.ts';
import { openApiDocument } from '../../../api/reference/document.ts';
import { resonance2Form, resonance2Query } from '../../../api/resonance-2/request.ts';
import { checkForm, nameIgnoredFields } from '../../../api/http/form.ts';
import { parseCommonFields } from '../../../api/speech/request.ts';
import { ServiceError } from '../../../models/contract/errors.ts';
import { sharedTaskPaths, sharedTasks } from '../../../models/contract/tasks.ts';

/** As the multipart reader returns them: without empty ones. */
function fields(given: Readonly<Record<string, string>>, unusable: readonly string[] = []): Fields {
  const map = new Map(Object.entries(given));
  return Object.assign(map, { unusable: new Set(unusable), maxFieldBytes: 4_096 });
}

type Rejection = readonly [code: string, param: string, message: RegExp];

const common: readonly (readonly [Readonly<Record<string, string>>, Rejection])[] = [
  [{ diarize: 'yes' }, ['invalid_field', 'diarize', /takes true, false, 1 or 0, got "yes"\.$/]],
  [
    { diarize: '1', num_speakers: '33' },
    ['invalid_field', 'num_speakers', /takes a whole number from 1 to 32, got "33"\.$/],
  ],
  [{ diarize: '1', num_speakers: '1.5' }, ['invalid_field', 'num_speakers', /got "1\.5"\.$/]],
  [{ diarize: '1', num_speakers: '0' }, ['invalid_field', 'num_speakers', /got "0"\.$/]],
  [
    { model: 'svc-fourier', diarize: 'TRUE' },
    ['diarization_unsupported', 'diarize', /needs svc-resonance, got svc-fourier\.$/],
  ],
  [
    { language: 'ja' },
    ['invalid_field', 'language', /takes auto, .*\bmt\b.*\buk\b.*, got "ja"\.$/],
  ],
  [{ model: 'resonance' }, ['model_retired', 'model', /is retired; use svc-resonance or svc-f/]],
  [{ model: 'svczero' }, ['model_not_supported', 'model', /is not served by this endpoint/]],
  [{ model: 'x'.repeat(99) }, ['model_not_found', 'model', /^There is no model "x{64}";/]],
];

test('a common form is rejected with its code, its field and a sentence, for every task', (t) => {
  for (const task of sharedTasks) {
    for (const [given, [code, param, message]] of common) {
      const error = t.throws(() => parseCommonFields(task, fields(given)), {
        instanceOf: ServiceError,
      })!;
      t.deepEqual([error.code, error.param], [code, param], `${task} ${JSON.stringify(given)}`);
      t.regex(error.message, message);
    }
  }
});

test('common forms: unknown fields are named, speakers require diarize', (t) => {
  const given = fields({ include_logits: '1', num_speakers: '99', prompt: 'x' }, ['notes']);
  const { model, options, ignoredFields } = parseCommonFields('affect', given);
  t.deepEqual(
    [model, options, ignoredFields],
    [
      'svc-resonance',
      { diarize: false, numSpeakers: null, includeLogits: true },
      ['prompt', 'notes'],
    ],
  );
  const two = parseCommonFields('analysis', fields({ diarize: 'True', num_speakers: '2' }));
  t.deepEqual(two.options, { diarize: true, numSpeakers: 2, includeLogits: false });
  const fixed = parseCommonFields('emotion', fields({ language: 'mt' }));
  t.like(fixed, { options: { language: 'mt' }, ignoredFields: [] });
  t.false('language' in parseCommonFields('emotion', fields({ language: 'auto' })).options);
  const logits = fields({ include_logits: 'false' });
  t.throws(() => parseCommonFields('transcription', logits), { message: /have no scores/ });
  const cut = fields({}, ['diarize']);
  t.throws(() => parseCommonFields('style', cut), { message: /text of at most 4096 bytes\.$/ });
});

test('common forms: a field that is cut or a file is judged as its text would be', (t) => {
  const speakers = parseCommonFields('analysis', fields({}, ['num_speakers']));
  t.deepEqual([speakers.options.numSpeakers, speakers.ignoredFields], [null, []]);
  const counted = fields({ diarize: 'true' }, ['num_speakers']);
  t.throws(() => parseCommonFields('analysis', counted), { code: 'invalid_field' });
  const logits = fields({}, ['include_logits']);
  t.throws(() => parseCommonFields('transcription', logits), { code: 'unknown_field' });
});

test('redaction: kinds and names of tasks with words, in any order, names as hashes', (t) => {
  const options = (task: 'transcription' | 'analysis' | 'emotion', given: Record<string, string>) =>
    parseCommonFields(task, fields(given));
  const one = options('analysis', { redact: 'phone, card,phone', redact_names: 'Ann Lee,Müller' });
  const two = options('analysis', { redact: 'card,phone', redact_names: 'MULLER, ann lee' });
  t.deepEqual(one.options.redact, two.options.redact);
  t.deepEqual(one.options.redact?.kinds, ['card', 'phone']);
  t.deepEqual(
    one.options.redact?.names.map((hash) => hash.replace(/:[0-9a-f]{16}$/, '')),
    ['1', '2'],
  );
  t.false('redact' in options('transcription', {}).options);
  t.deepEqual(options('emotion', { redact: 'card' }).ignoredFields, ['redact']);
  t.throws(() => options('transcription', { redact: 'faces' }), {
    message: '`redact` takes card, account, phone, email, got "faces".',
  });
  const lines = options('analysis', { redact_names: 'Ann\n Lee' });
  t.deepEqual(lines.options, options('analysis', { redact_names: 'Ann Lee' }).options);
  const people = (count: number): string => Array.from({ length: count }, (_, i) => `n${i}`).join();
  t.is(options('analysis', { redact_names: people(200) }).options.redact?.names.length, 200);
  for (const many of [people(201), 'x'.repeat(101)]) {
    t.throws(() => options('analysis', { redact_names: many }), { code: 'invalid_field' });
  }
  for (const name of ['redact_names', 'vocabulary']) {
    t.throws(() => options('transcription', { [name]: 'Bob,Ann\0Lee' }), {
      message: new RegExp(`^\`${name}\`:? must not contain control characters or`),
    });
  }
});

const lite: readonly (readonly [Readonly<Record<string, string>>, Rejection])[] = [
  [{ prompt: 'x' }, ['unknown_field', 'prompt', /is not a field of this form; it takes file, mod/]],
  [{ language: 'de' }, ['invalid_field', 'language', /takes en, en-US, en-GB, got "de"\.$/]],
  [{ num_speakers: '2' }, ['invalid_field', 'num_speakers', /requires `diarize` to be true\.$/]],
  [
    { response_format: 'text', diarize: '1' },
    ['invalid_field', 'response_format', /cannot represent/],
  ],
];

test('a strict form rejects unknown fields and values that exclude each other', (t) => {
  for (const [given, [code, param, message]] of lite) {
    const form = fields({ model: 'svc-svceet', ...given });
    const error = t.throws(() => parseLiteFields(form), { instanceOf: ServiceError })!;
    t.deepEqual([error.code, error.param], [code, param]);
    t.regex(error.message, message);
  }
  const alias = checkForm(fields({ model: 'resonance-2' }), resonance2Form);
  t.is(alias.values.model, 'resonance-2');
  t.throws(() => checkForm(fields({ regime: 'f1' }), resonance2Form), { message: /`regime`/ });
});

test('a transcript has words, and characters are counted as code points', (t) => {
  const read = (transcript: string) => parseProficiencyFields(fields({ transcript })).transcript;
  t.is(read('  Good morning. '), 'Good morning.');
  t.is(read('   '), null);
  t.is(Array.from(read('𝄞a'.repeat(10_000))!).length, 20_000);
  t.throws(() => read('a'.repeat(20_001)), {
    message: /takes at most 20000 characters, got 20001/,
  });
  t.throws(() => read('...'), { message: '`transcript` must contain a word.' });
});

test('a query names its invalid field; empty text counts as absent', (t) => {
  const regime = (text: string) => readQuery({ query: { regime: text } }, resonance2Query);
  t.is(regime('').regime, 'f1');
  const error = t.throws(() => regime('f2'), { instanceOf: ServiceError })!;
  t.deepEqual([error.code, error.param, error.location], ['invalid_field', 'regime', 'query']);
  t.is(error.message, '`regime` takes f1, precision, got "f2".');
  const misspelt = { query: { regim: 'precision' } };
  const unknown = t.throws(() => readQuery(misspelt, resonance2Query), {
    instanceOf: ServiceError,
  })!;
  t.deepEqual([unknown.code, unknown.param, unknown.location], ['unknown_field', 'regim', 'query']);
});

test('what is ignored is named in 1 KiB, parameters of the query apart', (t) => {
  const header = (names: readonly string[], query = {}): string | undefined => {
    let named: string | undefined;
    nameIgnoredFields({ query, set: ((_: string, text: string) => (named = text)) as any }, names);
    return named;
  };
  t.is(header([], { empty: '' }), undefined);
  t.is(
    header(['+1', 'a?'], { diarize: 'true', 'two words': ['1', '2'] }),
    [...['%2B1', 'a%3F', '?diarize', '?two%20words']].join(', '),
  );
  const long = header(Array.from({ length: 60 }, (_, i) => String(i).padStart(60, '\u6f22')))!;
  t.true(long.length <= 1_024, `${long.length}`);
  const named = long.split(', ');
  t.is(named.at(-1), `+${60 - (named.length - 1)}`);
  t.true(named.length > 1);
  const filling = [...Array.from({ length: 15 }, () => 'n'.repeat(64)), 'x'.repeat(8)];
  t.is(header(filling), filling.join(', '), '1,000 characters with what is between them');
  const over = [...filling.slice(0, 15), 'x'.repeat(9)];
  t.is(header(over), [...filling.slice(0, 15), '+1'].join(', '));
  t.is(header(['n'.repeat(65)]), 'n'.repeat(64), 'a name is cut');
});

test('OpenAPI shows the types and bounds that forms are validated against', (t) => {
  const { components, paths } = openApiDocument();
  const schemas = components!.schemas as Record<string, any>;
  for (const task of sharedTasks) {
    const body = paths![sharedTaskPaths[task]]!.post!.requestBody as any;
    const name = body.content['multipart/form-data'].schema.$ref.split('/').at(-1);
    const { properties, required } = schemas[name];
    t.deepEqual(required, ['file'], name);
    t.is(properties.file.format, 'binary');
    t.is(properties.diarize.type, 'boolean');
    t.like(properties.num_speakers, { type: 'integer', minimum: 1, maximum: 32 });
    t.is('include_logits' in properties, task !== 'transcription');
    t.is(properties.model.enum[0], 'svc-resonance');
  }
  t.like(schemas.ProficiencyRequest.properties.transcript, { type: 'string', maxLength: 20_000 });
  t.true(schemas.SyntheticSpeechRequest.additionalProperties === false);
});
