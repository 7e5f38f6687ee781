// Exports as independent readers parse them: srt and webvtt-py from PyPI, Python's csv module.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { toHtml } from '../../../models/exports/report.ts';
import { toCues, toSrt, toVtt } from '../../../models/exports/subtitles.ts';
import { toCsv, toRttm, toText } from '../../../models/exports/text-formats.ts';
import type { ExportedResult } from '../../../models/exports/exported-result.ts';
import { withDirectory } from '../../support/speech.ts';

const run = promisify(execFile);

const segment = (speaker: string | null, start: number, text: string) => {
  const words = text.split(' ').map((word, i) => ({
    word,
    start: start + 0.4 * i,
    end: start + 0.4 * i + 0.35,
    confidence: word.startsWith('account') ? 0.3 : 0.9,
  }));
  const end = words.at(-1)!.end;
  return {
    start,
    end,
    text,
    words,
    speaker,
    emotions: [{ label: 'happy', score: 0.9 }],
    styles: [],
  };
};

const result: ExportedResult = {
  duration: 3_700,
  segments: [
    segment('speaker_0', 0.5, 'Good morning, how can I help you today with your account?'),
    segment('speaker_1', 6.25, '=2+2 is "four" & <b>five</b>, six'),
    segment('speaker_0', 3_661.5, `${'word '.repeat(60).trim()}.`),
  ],
};

const reader = `
import csv, json, srt, sys, webvtt
with open("a.srt") as file:
    subtitles = list(srt.parse(file.read()))
captions = webvtt.read("a.vtt")
with open("a.csv", newline="") as file:
    rows = list(csv.DictReader(file))
print(json.dumps({
    "srt": [[s.index, s.start.total_seconds(), s.content] for s in subtitles],
    "vtt": [[c.start_in_seconds, c.end_in_seconds, c.text, c.voice] for c in captions],
    "csv": rows,
}))
`;

test('subtitles and tables are parsed back unchanged by other readers', async (t) => {
  await withDirectory(async (cwd) => {
    const files = { 'a.srt': toSrt(result), 'a.vtt': toVtt(result), 'a.csv': toCsv(result) };
    for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text);
    const quiet = ['--quiet', '--disable-pip-version-check', '--target', cwd];
    const packages = ['srt==3.5.3', 'webvtt-py==0.5.1'];
    await run('python3', ['-m', 'pip', 'install', ...quiet, ...packages]);
    const { stdout } = await run('python3', ['-c', reader], { cwd });
    const read = JSON.parse(stdout);
    const cues = toCues(result, (speaker) => `${speaker}: `);
    t.is(read.srt.length, cues.length);
    t.deepEqual(
      read.srt.map(([index]: [number]) => index),
      cues.map((_, i) => i + 1),
    );
    t.is(read.srt[0][2], 'speaker_0: Good morning, how can I\nhelp you today with your account?');
    t.is(read.srt.at(-1)[1] > 3_661, true, 'past the first hour');
    t.true(read.vtt.length > 2);
    t.is(read.vtt[0][3], 'speaker_0');
    t.is(read.csv.length, 3);
    t.deepEqual(
      [read.csv[1].speaker, read.csv[1].text, read.csv[1].emotions, read.csv[1].emotion_scores],
      ['speaker_1', `'=2+2 is "four" & <b>five</b>, six`, 'happy', '0.90'],
    );
    t.deepEqual(
      read.csv.map((row: { low_confidence_words: string }) => row.low_confidence_words),
      ['account?', '', ''],
    );
  });
  t.true(toVtt(result).includes('&lt;b&gt;five&lt;/b&gt;'), 'markup of the words is no markup');
});

test('a name of any printable text is one field, one voice and one cell', (t) => {
  const name = '=Anna "A" --> Tom\u00a0& <b>Co</b>';
  const named = { duration: 9, segments: [segment(name, 0.5, 'We saw --> and <i>.')] };
  const [columns] = toRttm(named, 'my\u3000call').trim().split('\n');
  t.deepEqual(columns!.split(/\s/), [
    ...['SPEAKER', 'my_call', '1', '0.500', '1.950', '<NA>', '<NA>'],
    ...['=Anna_"A"_-->_Tom_&_<b>Co</b>', '<NA>', '<NA>'],
  ]);
  const [, times, spoken] = toVtt(named).split('\n').filter(Boolean);
  t.regex(times!, /^[\d:.]+ --> [\d:.]+$/);
  const voice = '=Anna "A" --&gt; Tom\u00a0&amp; &lt;b&gt;Co&lt;/b&gt;';
  t.is(spoken, `<v ${voice}>We saw --&gt; and &lt;i&gt;.`);
  t.true(toSrt(named).split('\n')[2]!.startsWith(name.split(' ')[0]!));
  const [, row] = toCsv(named).split('\r\n');
  t.true(row!.includes(`,"'${name.replaceAll('"', '""')}",We saw`), row);
  t.false(toHtml(named, { title: name, peaks: [] }).includes('<b>'));
});

test('RTTM has ten columns a turn, and text is the spoken words', (t) => {
  const lines = toRttm(result, 'my call').trim().split('\n');
  t.is(lines[0], 'SPEAKER my_call 1 0.500 4.350 <NA> <NA> speaker_0 <NA> <NA>');
  t.true(lines.every((line) => line.split(' ').length === 10));
  t.is(toRttm({ duration: 1, segments: [segment(null, 0, 'Hello')] }, 'x'), '');
  t.true(toText(result).startsWith('speaker_0: Good morning,'));
  const nothing = { duration: 1, segments: [] };
  t.deepEqual([toSrt(nothing), toText(nothing), toVtt(nothing)], ['', '', 'WEBVTT\n']);
});
