// What a schema rejects is told as what is wrong, what is allowed and what was received.
import test from 'ava';
import { batchRequestSchema } from '../../../api/batches/schemas.ts';
import { presignRequestSchema, sourcedFileSchema } from '../../../api/files/schemas.ts';
import type { Fields } from '../../../api/http/multipart.ts';
import { checkJson } from '../../../api/http/parse-json.ts';
import { pageQuerySchema } from '../../../api/http/list-schemas.ts';
import { noParameters, readQuery } from '../../../api/http/query.ts';
import { humeJobsQuery } from '../../../api/hume-compatible/list-jobs.ts';
import { sessionRequestSchema } from '../../../api/sessions/schemas.ts';
import { parseCommonFields } from '../../../api/speech/request.ts';
import { ServiceError } from '../../../models/contract/errors.ts';

type Rejection = readonly [code: string, param: string | null, message: string | RegExp];

const id = '2f1f6c9e-6f0c-1c3e-9a55-3c1a5a9f6f10';
const session = { model: 'svc-spectra-2' };
const item = { custom_id: 'a', file_id: `file-${'0'.repeat(24)}` };
const batch = (more: object, items: readonly object[] = [item]) => ({
  ...{ task: 'transcription', items },
  ...more,
});

const bodies: readonly (readonly [
  schema: Parameters<typeof checkJson>[1],
  given: unknown,
  rejection: Rejection,
])[] = [
  [
    sessionRequestSchema,
    { ...session, id },
    [
      'invalid_field',
      'id',
      '`id` takes a UUID of version 4, got "2f1f6c9e-6f0c-1c3e-9a55-3c1a5a9f…".',
    ],
  ],
  [sessionRequestSchema, session, ['missing_field', 'id', '`id` is required; it takes text.']],
  [
    sessionRequestSchema,
    { id },
    ['missing_field', 'model', '`model` is required; it takes svc-spectra-2.'],
  ],
  [sessionRequestSchema, [], ['invalid_field', null, 'The body takes an object, got a list.']],
  [sessionRequestSchema, null, ['invalid_field', null, 'The body takes an object, got null.']],
  [
    presignRequestSchema,
    { filename: 'a', bytes: 1.5 },
    ['invalid_field', 'bytes', '`bytes` takes a whole number, got 1.5.'],
  ],
  [
    presignRequestSchema,
    { filename: 'a', bytes: 0 },
    ['invalid_field', 'bytes', '`bytes` takes at least 1, got 0.'],
  ],
  [
    presignRequestSchema,
    { filename: '', bytes: 1 },
    ['invalid_field', 'filename', '`filename` takes at least 1 character, got "".'],
  ],
  [
    presignRequestSchema,
    { filename: 'x'.repeat(300), bytes: 1 },
    ['invalid_field', 'filename', '`filename` takes at most 255 characters, got 300.'],
  ],
  [
    sourcedFileSchema,
    { source: 'https://user:secret@example.com/a' },
    ['invalid_field', 'source', '`source` takes an object, got text.'],
  ],
  [
    batchRequestSchema,
    batch({}, [item, { custom_id: 'b', file_id: 'x' }]),
    [
      'invalid_field',
      'items.1.file_id',
      /takes text of the form file-\[0-9a-f\]\{24\}, got "x"\.$/,
    ],
  ],
  [
    batchRequestSchema,
    batch({}, [{ file_id: item.file_id }]),
    ['missing_field', 'items.0.custom_id', '`items.0.custom_id` is required; it takes text.'],
  ],
  [
    batchRequestSchema,
    batch({}, []),
    ['invalid_field', 'items', '`items` takes at least 1 entry, got 0.'],
  ],
  [
    batchRequestSchema,
    batch({}, [item, { ...item, meta: {} }]),
    [
      'unknown_field',
      'items.1.meta',
      /of this request; `items\.1` takes custom_id, file_id, source, metadata\.$/,
    ],
  ],
  [
    batchRequestSchema,
    batch({ options: { diarise: true } }),
    [
      'unknown_field',
      'options.diarise',
      /^`options\.diarise` is not a field of this request; `options` takes diarize, num_speakers, /,
    ],
  ],
  [
    sessionRequestSchema,
    { ...session, id: '2f1f6c9e-6f0c-4c3e-9a55-3c1a5a9f6f10', ttl: 1 },
    ['unknown_field', 'ttl', '`ttl` is not a field of this request; it takes model, id.'],
  ],
  [
    noParameters,
    { ttl: 1 },
    ['unknown_field', 'ttl', '`ttl` is not a field of this request; it takes none.'],
  ],
  [
    batchRequestSchema,
    batch({ output_expires_after: { seconds: 3_600 } }),
    ['missing_field', 'output_expires_after.anchor', /is required; it takes created_at\.$/],
  ],
  [
    batchRequestSchema,
    batch({ options: { redact: ['card', 'Foo'] } }),
    ['invalid_field', 'options.redact.1', /takes .*card.*, got "Foo"\.$/],
  ],
  [
    batchRequestSchema,
    batch({ options: { redact_names: ['Ann', 'Bob\u0000'] } }),
    ['invalid_field', 'options.redact_names.1', /: must not contain control characters or/],
  ],
  [
    batchRequestSchema,
    batch({ options: { redact_names: ['\ud83d'] } }),
    ['invalid_field', 'options.redact_names.0', /: must not contain .* unpaired surrogates\.$/],
  ],
  [
    batchRequestSchema,
    batch({ options: { vocabulary: ['Ann', 'Bo\u0000'] } }),
    ['invalid_field', 'options.vocabulary', /^`vocabulary` must not contain control characters or/],
  ],
  [
    batchRequestSchema,
    batch({ options: { vocabulary: ['Bob\udc00'] } }),
    ['invalid_field', 'options.vocabulary', /must not contain .* unpaired surrogates\.$/],
  ],
  [
    batchRequestSchema,
    batch({}, [{ ...item, custom_id: '\ud83d' }]),
    ['invalid_field', 'items.0.custom_id', /: must not contain .* unpaired surrogates\.$/],
  ],
  [
    batchRequestSchema,
    batch({ model: null }),
    ['invalid_field', 'model', /^`model` takes svc-resonance, .*, got null\.$/],
  ],
  [
    batchRequestSchema,
    batch({ metadata: { ['k'.repeat(65)]: 'v' } }),
    [
      'invalid_field',
      `metadata.${'k'.repeat(64)}`,
      /a name takes at most 64 characters, got 65\.$/,
    ],
  ],
];

for (const [schema, given, [code, param, message]] of bodies) {
  test(`${param ?? 'body'}: ${String(message)}`, (t) => {
    const error = t.throws(() => checkJson(given, schema), { instanceOf: ServiceError })!;
    t.like(error, { code, param });
    if (typeof message === 'string') t.is(error.message, message);
    else t.regex(error.message, message);
  });
}

test('parameters of a query and fields of a form have no members', (t) => {
  const query = (given: Record<string, string | string[]>, schema = humeJobsQuery) =>
    t.throws(() => readQuery({ query: given }, schema as typeof humeJobsQuery), {
      instanceOf: ServiceError,
    })!;
  const statuses = '`status` takes QUEUED, IN_PROGRESS, COMPLETED, FAILED, got "completed".';
  for (const status of ['completed', ['QUEUED', 'completed']]) {
    const { code, param, message } = query({ status });
    t.deepEqual([code, param, message], ['invalid_field', 'status', statuses]);
  }
  const long = query({ after: 'x'.repeat(129) }, pageQuerySchema as never);
  t.is(long.message, '`after` takes at most 128 characters, got 129.');
  const fields = Object.assign(new Map([['redact', 'card,,Foo']]), {
    ...{ unusable: new Set<string>(), maxFieldBytes: 4_096 },
  }) as Fields;
  const form = t.throws(() => parseCommonFields('transcription', fields), {
    instanceOf: ServiceError,
  })!;
  t.is(form.param, 'redact');
  t.regex(form.message, /^`redact` takes .*, got "Foo"\.$/);
});

test('a batch takes 200 names of 100 characters to remove', (t) => {
  const taken = (names: readonly string[]) =>
    checkJson(batch({ options: { redact_names: names } }), batchRequestSchema).options.redact_names;
  const longest = Array.from({ length: 200 }, (_, i) => String(i).padStart(100, 'x'));
  t.deepEqual(taken(longest), longest);
  for (const [names, param, message] of [
    [[...longest, 'y'], 'options.redact_names', /at most 200/],
    [['x'.repeat(101)], 'options.redact_names.0', /at most 100 characters, got 101\.$/],
    [[' '], 'options.redact_names.0', /at least 1|must not be empty/],
  ] as const) {
    const error = t.throws(() => taken(names), { instanceOf: ServiceError })!;
    t.deepEqual([error.code, error.param], ['invalid_field', param]);
    t.regex(error.message, message);
  }
});
