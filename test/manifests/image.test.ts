// What is read from the Dockerfile.
import test from 'ava';
import { variablesOf } from './image.ts';

test('a variable keeps the equals signs of its value', (t) => {
  const stage =
    'FROM node\nENV NODE_OPTIONS=--max-semi-space-size=4   MALLOC_ARENA_MAX=2\nUSER 1:1\n';
  t.deepEqual(variablesOf(stage), {
    NODE_OPTIONS: '--max-semi-space-size=4',
    MALLOC_ARENA_MAX: '2',
  });
});
