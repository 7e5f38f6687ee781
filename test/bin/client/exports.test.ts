// Exports of result files: what they hold beside a result, and what those before have not.
import test from 'ava';
import { exportOne, exportTogether, resultOf } from '../../../bin/client/exports.ts';

const speakers = ['speaker_0', 'speaker_1'];

const turn = (speaker: string, start: number) => ({
  ...{ speaker, start, end: start + 1, text: 'hello', words: [], emotions: [], styles: [] },
});

const result = {
  object: 'speech.result',
  duration: 2,
  segments: speakers.map(turn),
};

/** As `svc bulk --channels separate --roles ...` writes it. */
const callWith = (roles: readonly (string | null)[]) => ({
  ...result,
  channels: speakers.map((speaker, channel) => ({ channel, speaker, role: roles[channel]! })),
  metrics: { speakers: speakers.map((speaker, i) => ({ speaker, loudness_dbfs: -20 - i })) },
});

const levelsOf = (metrics: { readonly speakers: readonly any[] }) =>
  metrics.speakers.map((each) => [each.speaker, each.loudness_dbfs]);

const levelsIn = (body: object) =>
  levelsOf(JSON.parse(exportOne(resultOf('call.wav.json', body), 'metrics')));

test('speakers have the roles of their channels in each format', (t) => {
  const file = resultOf('call.wav.json', callWith(['agent', null]));
  for (const format of ['txt', 'srt', 'vtt', 'rttm', 'csv', 'metrics'] as const) {
    const text = exportOne(file, format);
    t.regex(text, /agent/, format);
    t.regex(text, /speaker_1/, format);
    t.notRegex(text, /speaker_0/, format);
  }
  t.regex(exportOne(file, 'html'), /agent/i);
  t.regex(exportTogether([file, file], 'csv'), /,agent,hello,[^]*,speaker_1,hello,/);
  t.notRegex(exportTogether([file, file], 'rttm'), /speaker_0/);
});

test('loudness is that of the file, and null where the file has none', (t) => {
  t.deepEqual(levelsIn(callWith(['agent', null])), [
    ['agent', -20],
    ['speaker_1', -21],
  ]);
  const file = resultOf('call.wav.json', callWith(['agent', 'customer']));
  const [, second] = JSON.parse(exportTogether([file, file], 'metrics'));
  t.deepEqual(levelsOf(second), [
    ['agent', -20],
    ['customer', -21],
  ]);
  t.deepEqual(levelsIn(callWith(['agent', 'agent'])), [['agent', null]]);
  for (const body of [result, { ...result, channels: null, metrics: null }, { result }])
    t.deepEqual(
      levelsIn(body),
      speakers.map((speaker) => [speaker, null]),
    );
  t.throws(() => resultOf('a.json', { ...result, channels: 'two' }), { message: /is no result/ });
});
