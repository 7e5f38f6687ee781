// A line of results is one line to every reader.
import test from 'ava';
import { jsonLine } from '../../../api/results/json-line.ts';

test('what ends a line in Unicode is escaped, and reads back as it was', (t) => {
  const line = {
    ...{ custom_id: 'call\u2028-1', index: 0, status: 'cancelled' as const },
    ...{ result: null, channels: null, metrics: null, error: null },
    metadata: { note: 'one\u0085two\u2029three\nfour\u2027' },
  };
  const written = jsonLine(line);
  t.deepEqual(written.split(/[\n\r\u0085\u2028\u2029]/).length, 2, 'its own end alone');
  t.deepEqual(JSON.parse(written), line);
});
