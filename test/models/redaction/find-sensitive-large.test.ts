// Long transcripts and long words: what is looked for in them grows with their length, not faster.
import test from 'ava';
import { redactionKinds } from '../../../models/contract/redaction.ts';
import { findSensitive } from '../../../models/redaction/find-sensitive.ts';

const everything = { kinds: redactionKinds, names: [] };
const at = (word: string, i: number) => ({ word, start: i, end: i, speaker: 0, language: 'en' });

test('each of many numbers is not compared with every word', (t) => {
  let reads = 0;
  const words = Array.from({ length: 4_000 }, (_, i) => ({
    ...at(i % 2 === 0 ? '2125550199' : 'hello', i),
    get start(): number {
      reads += 1;
      return i;
    },
  }));
  t.is(findSensitive(words, everything).length, 2_000);
  t.true(reads < 20 * words.length, `${reads} reads`);
});

test('10,000 spoken digits and words of 100,000 characters are looked at', (t) => {
  const [digits, marks] = ['1'.repeat(100_000), '.'.repeat(100_000)];
  for (const text of [
    'one '.repeat(10_000).trim(),
    `${digits}a`,
    `${digits} well ${digits} well ${digits}`,
    `a@${'.1'.repeat(50_000)}`,
    `1${marks}1`,
  ])
    t.deepEqual(findSensitive(text.split(' ').map(at), everything), [], text.slice(0, 10));
});
