// Large answers: the same JSON, sent a segment at a time.
import test from 'ava';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { segmentedBody } from '../../api/wire/json-stream.ts';

const result = (count: number) => ({
  id: 'res_1',
  text: '"segments":[ and \\ "quotes"',
  segments: Array.from({ length: count }, (_, id) => ({ id, text: `]}, ${id}` })),
  usage: { seconds: 1 },
});

test('a small answer is one piece, a large one the same JSON in many', async (t) => {
  const small = result(99);
  t.is(segmentedBody(small), small);
  for (const count of [100, 5_000]) {
    const body = segmentedBody(result(count));
    t.true(body instanceof Readable);
    t.deepEqual(await json(body as Readable), result(count));
  }
});
