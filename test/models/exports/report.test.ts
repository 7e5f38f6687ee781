// The HTML report: complete, self-contained, and safe with any words.
import test from 'ava';
import fc from 'fast-check';
import { toHtml } from '../../../models/exports/report.ts';
import type { ExportedSegment } from '../../../models/exports/exported-result.ts';

const segment = (i: number, text: string): ExportedSegment => ({
  ...{ start: 2 * i, end: 2 * i + 1.5, text, words: [], speaker: `speaker_${i % 2}` },
  emotions: [{ label: i % 2 === 0 ? 'happy' : 'neutral', score: 0.9 }],
  styles: [],
});

/** Tags that are open at the end; a wrong end tag throws. */
function openTags(html: string): readonly string[] {
  const open: string[] = [];
  for (const [, end, name = '', , self] of html.matchAll(
    /<(\/?)([a-z]+\d?)((?:"[^"]*"|[^"<>])*?)(\/?)>/g,
  )) {
    if (end) {
      if (open.pop() !== name) throw new Error(`</${name}> closes nothing`);
    } else if (!self && name !== 'meta') open.push(name);
  }
  return open;
}

test('everything about a call is on the page, and nothing is loaded', (t) => {
  const segments = [segment(0, 'Hello there.'), segment(1, 'Hi.'), segment(2, 'How are you?')];
  const html = toHtml({ duration: 6, segments }, { title: 'call', peaks: [0.1, 0.9, 0.4] });
  for (const heading of ['Waveform', 'Speakers', 'Emotions', 'Talk', 'Transcript']) {
    t.true(html.includes(`<h2>${heading}</h2>`), heading);
  }
  t.is(html.match(/<title>/g)?.length, 1 + 3 + 3, 'a hint per bar');
  t.true(html.includes('class="e0"') && html.includes('class="e14"'));
  t.notRegex(html, /<script|https?:|url\(|@import|<link|<img/);
  t.deepEqual(openTags(html.replace('<!doctype html>', '')), []);
  const bare = toHtml({ duration: 0, segments: [] }, { title: 'x', peaks: [] });
  t.false(bare.includes('Waveform') || bare.includes('NaN') || bare.includes('Infinity'));
});

test('a recording without speech has no lanes and says so', (t) => {
  const labels = { emotions: [], styles: [] };
  const empty = { ...{ start: 0, end: 30, text: '', words: [], speaker: null }, ...labels };
  const html = toHtml({ duration: 30, segments: [empty] }, { title: 'dead air', peaks: [] });
  t.regex(html, /0:00 of talk · 0:30 of silence/);
  t.regex(html, /No speech was found/);
  t.notRegex(html, /Speaker 0/);
  t.deepEqual(openTags(html.replace('<!doctype html>', '')), []);
});

test('times and speakers are named as on the page of the recording', (t) => {
  const segments = [{ ...segment(0, 'Hello.'), start: 5.9, end: 7.8 }, segment(9, 'Hi.')];
  const html = toHtml({ duration: 57.9, segments }, { title: 'call', peaks: [] });
  t.regex(html, /0:58 long/, 'a length is rounded, as there');
  t.regex(html, /<td>0:05<\/td>/, 'not before it has come');
  t.regex(html, />Speaker 0<.*>Speaker 1</s);
  t.notRegex(html, /speaker_\d/);
});

test('speech of nobody in particular is not said to be of one speaker', (t) => {
  const segments = [0, 1].map((i) => ({ ...segment(i, i === 0 ? 'Hello.' : ''), speaker: null }));
  const html = toHtml({ duration: 4, segments }, { title: 'call', peaks: [] });
  t.regex(html, /<h2>Speech<\/h2>/);
  t.regex(html, /Speakers were not separated/);
  t.regex(html, /No words were understood/, 'the turn without words');
  t.notRegex(html, /Speaker 0|100 %/);
  t.deepEqual(openTags(html.replace('<!doctype html>', '')), []);
});

test('labels that are more likely wrong than right are marked, and the mark is explained', (t) => {
  const page = (score: number) => {
    const unsure = { ...segment(0, 'Hello.'), emotions: [{ label: 'angry', score }] };
    return toHtml({ duration: 2, segments: [unsure] }, { title: 'call', peaks: [] });
  };
  t.regex(page(0.3), /emotions: angry 0.30\(\?\)/);
  t.regex(page(0.3), /followed by \(\?\) are uncertain: their score is below 0.5/);
  t.notRegex(page(0.496), /\(\?\)/, 'shown as 0.50');
});

test('property: words are never markup', (t) => {
  const marks = fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', 'a', '/', ' ', '=') });
  fc.assert(
    fc.property(marks, marks, (text, title) => {
      const html = toHtml({ duration: 2, segments: [segment(0, text)] }, { title, peaks: [] });
      t.deepEqual(openTags(html.replace('<!doctype html>', '')), []);
    }),
  );
});

test('property: shares of talk add up to a hundred', (t) => {
  const lengths = fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 7 });
  fc.assert(
    fc.property(lengths, (all) => {
      const segments = all.map((length, i) => {
        return { ...segment(0, 'x'), start: 0, end: length, speaker: `speaker_${i}` };
      });
      const html = toHtml({ duration: 1_000, segments }, { title: 'x', peaks: [] });
      const shares = [...html.matchAll(/<td>(\d+) %<\/td>/g)].map(([, share]) => Number(share));
      t.is(
        shares.reduce((sum, share) => sum + share, 0),
        100,
      );
    }),
  );
});
