// The words of a given text, and when they are those of the recording.
import test from 'ava';
import { proficiencyFiles } from '../../../models/bundles/catalog.ts';
import { modelRow, proficiencyModel } from '../../../models/contract/served-models.ts';
import {
  coversSpeech,
  fitsTranscript,
  transcriptWords,
} from '../../../models/proficiency/transcript.ts';

const { calibration } = proficiencyFiles(modelRow(proficiencyModel));

test('marks between spaces are no words', (t) => {
  const words = transcriptWords('GOOD morning, one two - 3 four … goodbye!');
  t.deepEqual(words, ['GOOD', 'morning,', 'one', 'two', '3', 'four', 'goodbye!']);
});

test('a text fits when its phones do, and one word among many that does not is no matter', (t) => {
  const fits = (...gops: readonly number[]) =>
    fitsTranscript(
      gops.map((gop) => ({ phones: 4, gop })),
      calibration,
    );
  t.true(fits(-0.5, -0.6, -0.7));
  t.true(fits(-0.5, -0.6, -0.7, -0.4, -6));
  t.false(fits(-4, -5, -3));
  t.false(fits());
  // A word without phones says nothing for or against.
  t.true(
    fitsTranscript(
      [
        { phones: 4, gop: -0.5 },
        { phones: 0, gop: 0 },
      ],
      calibration,
    ),
  );
});

test('a text covers the speech that its words are heard in, and need not cover a slip', (t) => {
  /** Two words, of ten seconds of speech. */
  const covers = (wordSeconds: number, heardSeconds: number, gop = -0.5) =>
    coversSpeech(
      [0, 5].map((start) => ({ start, end: start + wordSeconds, phones: 9, gop, heardSeconds })),
      10,
    );
  t.true(covers(4.5, 4));
  t.true(covers(4, 3.5), 'an aside of a second, and sounds that are read otherwise');
  t.false(covers(2.3, 2), 'half of it, and nothing in the rest');
  t.false(covers(5, 2.2), 'half of it, stretched over the rest');
  t.true(covers(4.5, 3.3, -1.5), 'a reader whose phones fit badly');
  t.false(covers(4.5, 3.3, 0));
  t.false(coversSpeech([], 10));
});
