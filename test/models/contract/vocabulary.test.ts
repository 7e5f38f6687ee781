// Terms as they are compared with what recognisers write.
import test from 'ava';
import { termsOf } from '../../../models/contract/vocabulary.ts';

test('terms are read once each, composed, and without needless blanks', (t) => {
  t.deepEqual(termsOf(' O\u0308zdemir ;\u00d6zdemir,, Ann  Lee\n'), ['\u00d6zdemir', 'Ann Lee']);
});
