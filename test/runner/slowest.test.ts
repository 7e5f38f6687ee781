// The time of each test file.
import test from 'ava';
import { fileTimeLine, readFileTime, slowestFiles } from './slowest.ts';

test('a file that ends tells its time, and the slowest come first', (t) => {
  const lines = [
    fileTimeLine({ file: 'limits.test.ts', ms: 1_000 }),
    '{"level":50,"msg":"test file time is something else"}',
    fileTimeLine({ file: 'vad.test.ts', ms: 3_040 }),
  ];
  const times = lines.map(readFileTime).filter((time) => time !== null);
  t.deepEqual(slowestFiles(times), ['   3.0 s  vad.test.ts', '   1.0 s  limits.test.ts']);
});
