// A body that is kept is as large as its bytes, whatever blocks it arrives in.
import test from 'ava';
import { createPages } from '../../../api/http/pages.ts';

test('a hundred thousand blocks of a byte are a few pages', (t) => {
  const pages = createPages();
  const body = Buffer.from(Array.from({ length: 100_000 }, (_, i) => i % 251));
  for (let at = 0; at < body.length; at += 1) pages.add(body.subarray(at, at + 1));
  const taken = pages.take();
  t.true(taken.length < 10, `${taken.length} pages`);
  t.deepEqual(Buffer.concat(taken), body);
});

test('large and small blocks stay in their order; without one there is no page', (t) => {
  const pages = createPages();
  t.deepEqual(pages.take(), []);
  const blocks = [1, 200_000, 3, 65_536, 70, 0, 9].map((length, i) => Buffer.alloc(length, i + 1));
  for (const block of blocks) pages.add(block);
  t.deepEqual(Buffer.concat(pages.take()), Buffer.concat(blocks));
});
