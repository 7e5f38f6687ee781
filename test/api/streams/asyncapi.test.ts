// The AsyncAPI document says what the streams take.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { parse } from 'yaml';
import { readStart } from '../../../api/streams/protocols/spectra-start.ts';

const path = join(import.meta.dirname, '..', '..', '..', 'docs', 'streams', 'asyncapi.yaml');
const { messages } = parse(readFileSync(path, 'utf8')).components;

test('what a start must have is enough with a ticket, and the least that is', (t) => {
  const { required, properties } = messages.start.payload;
  const given = { type: 'start', model: 'svc-spectra-2', task: 'analysis', request_id: 'r1' };
  t.deepEqual(
    Object.keys(given).filter((name) => !(name in properties)),
    [],
  );
  const ticket = { task: 'analysis', requestId: 'r1' } as const;
  const context = { ticket, headerRequestId: null, answerId: 'r1', vocabulary: 'unknown' } as const;
  t.like(readStart({ type: 'start' }, context), { task: 'analysis', requestId: 'r1' });
  t.deepEqual(required, ['type']);
  t.like(readStart({ type: 'start' }, { ...context, ticket: null }), { code: 'invalid_field' });
});
