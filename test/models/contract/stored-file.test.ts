// The name under which a file is kept.
import test from 'ava';
import { storedFilename } from '../../../models/contract/stored-file.ts';

test('a name loses what cannot be kept of it, and is never cut within a character', (t) => {
  t.is(storedFilename('call\u0000 1.wav'), 'call 1.wav');
  t.is(storedFilename('\n'), 'recording');
  t.is(storedFilename(`${'x'.repeat(254)}😀.wav`), 'x'.repeat(254));
  t.is(storedFilename('a\ud83d.wav'), 'a.wav');
});
