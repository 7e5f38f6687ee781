// Speakers by their names: who has the same name is one in every export.
import test from 'ava';
import { exportFormats } from '../../../models/exports/formats.ts';

const turn = (speaker: string, start: number, end: number) => ({
  ...{ speaker, start, end, text: 'x', words: [], emotions: [], styles: [] },
});

/** Speakers 1 and 2 talk one after the other, over speaker 0. */
const result = {
  duration: 10,
  segments: [
    turn('speaker_0', 0, 6),
    turn('speaker_1', 2, 4),
    turn('speaker_2', 4, 8),
    turn('speaker_1', 8, 9),
  ],
  loudnessDb: [
    [...Array<number>(6).fill(-20), ...Array<number>(4).fill(-60)],
    [...Array<number>(4).fill(-30), ...Array<number>(4).fill(-60), -30, -60],
    [...Array<number>(4).fill(-60), ...Array<number>(4).fill(-30), -60, -60],
  ],
};

const metricsOf = (roles: readonly string[]) =>
  JSON.parse(exportFormats.metrics.write(result, { recording: 'call', peaks: [], roles }));

test('one whom diarization has split has the figures of one, on all channels', (t) => {
  const { speakers } = metricsOf(['Ben', 'Anna', 'Anna']);
  t.deepEqual(
    speakers.map((each: { readonly speaker: string }) => each.speaker),
    ['Ben', 'Anna'],
  );
  t.like(speakers[1], {
    ...{ talk_seconds: 7, turns: 3, longest_monologue_seconds: 7, loudness_dbfs: -30 },
  });
});

test('speakers without a name, or with others, stay apart', (t) => {
  for (const roles of [[], ['Ben'], ['Ben', 'Anna', 'Carl']]) {
    const { speakers } = metricsOf(roles);
    t.deepEqual(
      speakers.map((each: { readonly loudness_dbfs: number }) => each.loudness_dbfs),
      [-20, -30, -30],
    );
  }
  // A name may be another's number.
  t.is(metricsOf(['speaker_1']).speakers.length, 2);
});
