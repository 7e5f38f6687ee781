// Paths in archives on every system that unpacks them.
import test from 'ava';
import { archiveName, archivePaths } from '../../../api/results/archive-paths.ts';

const paths = (...customIds: readonly string[]): readonly string[] => {
  const pathOf = archivePaths('srt');
  return customIds.map((customId, position) => pathOf({ customId, position }));
};

test('paths in an archive stay in its folder, and each is another', (t) => {
  t.deepEqual(paths('north/call.wav', '../../etc/passwd', 'C:\\calls\\a?.wav', '..', 'a', 'a/'), [
    ...['north/call.wav.srt', 'etc/passwd.srt', 'C_/calls/a_.wav.srt', 'item-3.srt'],
    ...['a.srt', 'a-5.srt'],
  ]);
  t.deepEqual(paths('a:b', 'a_b-2', 'a?b'), ['a_b.srt', 'a_b-2.srt', 'a_b-2-2.srt']);
  t.deepEqual(paths('Call', 'call', 'caf\u00e9', 'cafe\u0301'), [
    ...['Call.srt', 'call-1.srt', 'caf\u00e9.srt', 'cafe\u0301-3.srt'],
  ]);
  t.is(archivePaths('metrics')({ customId: 'a', position: 0 }), 'a.metrics.json');
});

test('a name is none that Windows shortens or takes for a device, nor reads otherwise', (t) => {
  for (const [text, name] of [
    ['call\u202Evaw.exe', 'call_vaw.exe'],
    ['\u2066a\u2069\u200Fb\u0007c', '_a__b_c'],
    ['north. ', 'north'],
    [' . .', ''],
    ['CON', '_CON'],
    ['nul.tar.gz', '_nul.tar.gz'],
    ['com1 .wav', '_com1 .wav'],
    ['Lpt²', '_Lpt²'],
    ['console', 'console'],
    ['falcon.wav', 'falcon.wav'],
    [' a', 'a'],
    ['com10', 'com10'],
    ['a/b\\c', 'a_b_c'],
    ['\u0645\u06CC\u200C\u062E', '\u0645\u06CC\u200C\u062E'],
  ] as const)
    t.is(archiveName(text), name, text);
  t.deepEqual(paths('aux/call. ', 'north./a', 'north/A', '.'), [
    ...['_aux/call.srt', 'north/a.srt', 'north/A-2.srt', 'item-3.srt'],
  ]);
});

test('a name is one that file systems take, and another than the next', (t) => {
  for (const character of ['ä', '😀', 'a']) {
    const long = character.repeat(128);
    const made = paths(long, `${long}b`, `${long}/${long}.wav`);
    t.is(new Set(made).size, 3);
    for (const part of made.flatMap((path) => path.split('/'))) {
      t.true(Buffer.byteLength(part) <= 210, part);
      t.true(part.startsWith(character) && part.isWellFormed(), part);
    }
  }
  t.is(archiveName(`${'a'.repeat(199)}. b`), 'a'.repeat(199));
});

test('no folder has the name of a file', (t) => {
  t.deepEqual(paths('a', 'a.SRT/b', 'a.srt'), ['a.srt', 'a.SRT_/b.srt', 'a.srt.srt']);
});
