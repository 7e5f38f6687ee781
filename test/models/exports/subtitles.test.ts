// Cues of subtitles: every word, in order, in lines and for times that can be read.
import test from 'ava';
import fc from 'fast-check';
import { charactersPerSecond, toCues, toSrt, toVtt } from '../../../models/exports/subtitles.ts';
import type { ExportedSegment } from '../../../models/exports/exported-result.ts';

const prefixOf = (speaker: string | null): string => `${speaker}: `;
const plain = { emotions: [], styles: [] };

/** Words of 0.4 s each, 50 ms apart. */
function segment(speaker: string | null, start: number, text: string): ExportedSegment {
  const words = text.split(' ').map((word, i) => {
    const from = start + 0.45 * i;
    return { word, start: from, end: from + 0.4, confidence: null };
  });
  return { ...plain, start, end: words.at(-1)!.end, text, words, speaker };
}

test('breaks prefer the ends of sentences, and leave no orphan', (t) => {
  const text =
    'Good morning, thank you for calling the bank. How can I help you with your account today?';
  const cues = toCues({ duration: 60, segments: [segment('speaker_0', 1, text)] }, prefixOf);
  t.deepEqual(
    cues.map(({ lines }) => lines.join(' ')),
    [
      'Good morning, thank you for calling the bank.',
      'How can I help you with your account today?',
    ],
  );
});

test('a word that was heard behind the end of the recording is shown before it', (t) => {
  const word = (text: string, start: number, end: number) => {
    const words = [{ word: text, start, end, confidence: null }];
    return { ...plain, start, end, text, words, speaker: null };
  };
  const times = (duration: number, ...segments: ExportedSegment[]) =>
    toCues({ duration, segments }, () => '').map(({ start, end }) => [start, end]);
  t.deepEqual(times(0.9, word('Three.', 0.9, 0.9)), [[0, 0.9]]);
  t.deepEqual(times(5, word('Yes.', 3, 3.4), word('No.', 5, 5)), [
    [3, 4],
    [4, 5],
  ]);
  // There is room to show it where it was heard.
  t.deepEqual(times(5, word('Yes.', 0, 0)), [[0, 1]]);
});

test('the name of the speaker counts as part of the first line', (t) => {
  const text = 'one two three four five six seven eight nine ten';
  const written = toSrt({ duration: 60, segments: [segment('customer service', 0, text)] });
  const lines = written.split('\n').filter((line) => /[a-z]/.test(line));
  t.true(lines[0]!.startsWith('customer service: '));
  t.true(
    lines.every((line) => line.length <= 42),
    written,
  );
});

test('a long name is shortened, so that words fit beside it', (t) => {
  const text = 'this is a sentence of nine words in total';
  const shown = (speaker: string): readonly string[] => {
    const written = toSrt({ duration: 60, segments: [segment(speaker, 0, text)] });
    return written.split('\n').slice(2, -1);
  };
  t.deepEqual(shown('Dr. Maximiliane von Hohenberg-Oberammergau, Support'), [
    'Dr. Maximiliane von…: this is a',
    'sentence of nine words in total',
  ]);
  t.true(
    shown('customer service two')[0]!.startsWith('customer service two: '),
    'as long as may be',
  );
  // A name of characters of two units is not cut within one.
  t.true(shown('🎤'.repeat(30))[0]!.startsWith(`${'🎤'.repeat(9)}…: `));
});

test('a short cue stays until it is read, unless another begins', (t) => {
  const segments = [segment('a', 1, 'Yes.'), segment('b', 8, 'No.'), segment('a', 8.5, 'Well.')];
  const ends = toCues({ duration: 9, segments }, prefixOf).map(({ end }) => end);
  t.deepEqual(ends, [2, 8.5, 9]);
});

test('cues of turns that overlap are in the order of their starts', (t) => {
  const long = 'I can see that your package left. It is on its way and will be there on Monday.';
  const segments = [
    segment('a', 1, long),
    segment('b', 3, 'Thank you.'),
    segment('c', 3, 'Yes.'),
    segment('b', 12, 'Good.'),
  ];
  const startsOf = (written: string): readonly string[] =>
    written.match(/^[\d:,.]+(?= -->)/gm) ?? [];
  for (const written of [toSrt({ duration: 20, segments }), toVtt({ duration: 20, segments })]) {
    const starts = startsOf(written);
    t.true(starts.length > 4, written);
    t.deepEqual(
      starts,
      starts.toSorted((one, other) => one.localeCompare(other)),
      written,
    );
  }
  const cues = toCues({ duration: 20, segments }, prefixOf);
  const atOnce = cues.filter(({ start }) => start === 3);
  t.deepEqual(
    atOnce.map(({ speaker }) => speaker),
    ['b', 'c'],
  );
});

test('property: cues keep every word in order, fit two lines, and never run backwards', (t) => {
  const word = fc.string({
    minLength: 1,
    maxLength: 20,
    unit: fc.constantFrom('a', 'b', 'é', '.', ','),
  });
  const texts = fc.array(fc.array(word, { minLength: 1, maxLength: 40 }), { maxLength: 5 });
  fc.assert(
    fc.property(texts, (all) => {
      const segments = all.map((words, i) => segment(`speaker_${i % 2}`, 30 * i, words.join(' ')));
      const cues = toCues({ duration: 1_000, segments }, prefixOf);
      t.is(cues.flatMap(({ lines }) => lines).join(' '), all.flat().join(' '));
      cues.forEach(({ start, end, speaker, lines }, i) => {
        t.true(lines.length <= 2 && end >= start && end - start <= 7 + 1e-9);
        t.true(`${speaker}: ${lines[0]}`.length <= 42 && (lines[1]?.length ?? 0) <= 42);
        const next = cues[i + 1]?.start ?? 1_000;
        t.true(end <= next + 1e-9, 'no cue is shown over another that begins after it');
        t.true(end - start >= 1 - 1e-9 || next - start < 1, 'time to be read');
      });
    }),
  );
});

/** Spoken fast or slowly, with pauses: when a word begins and ends, in tenths of a second. */
const timedWords = fc.array(
  fc.record({
    word: fc.constantFrom('a', 'yes.', 'account', 'internationalisation,', 'please'),
    length: fc.integer({ min: 1, max: 12 }),
    pause: fc.constantFrom(0, 0, 0, 1, 5, 40),
  }),
  { minLength: 1, maxLength: 60 },
);

test('property: a cue stands until it is read, the next begins, or 7 s have passed', (t) => {
  fc.assert(
    fc.property(timedWords, (timed) => {
      let at = 0;
      const words = timed.map(({ word, length, pause }) => {
        const start = at + pause / 10;
        at = start + length / 10;
        return { word, start, end: at, confidence: null };
      });
      const text = timed.map(({ word }) => word).join(' ');
      const spoken = { ...plain, start: 0, end: at, text, words, speaker: 'agent' };
      const cues = toCues({ duration: at + 3, segments: [spoken] }, prefixOf);
      cues.forEach(({ start, end, speaker, lines }, i) => {
        const shown = `${speaker}: ${lines.join(' ')}`.length;
        const next = cues[i + 1]?.start ?? at + 3;
        const until = Math.min(next, start + 7, start + Math.max(1, shown / charactersPerSecond));
        t.true(end >= until - 1e-9, `${shown} characters in ${end - start} s`);
        t.true(end <= next + 1e-9 && end - start <= 7 + 1e-9);
      });
    }),
  );
});

test('property: a long text is divided without orphans', (t) => {
  const words = fc.array(fc.constantFrom('well', 'account', 'morning', 'telephone', 'is', 'and'), {
    minLength: 20,
    maxLength: 120,
  });
  fc.assert(
    fc.property(words, (all) => {
      const cues = toCues(
        { duration: 1_000, segments: [segment('a', 0, all.join(' '))] },
        prefixOf,
      );
      t.true(cues.every(({ lines }) => lines.join(' ').length >= 12));
    }),
  );
});
