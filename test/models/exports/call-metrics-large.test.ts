// Call metrics of long calls: the same numbers as by comparing all pairs of turns, in a number of
// steps that grows linearly with the turns.
import test from 'ava';
import fc from 'fast-check';
import { callMetrics } from '../../../models/exports/call-metrics.ts';
import type { ExportedSegment } from '../../../models/exports/exported-result.ts';

const blank = { text: 'x', emotions: [], styles: [], words: [] };

/** Compares all pairs of turns. */
function interruptionsByDefinition(segments: readonly ExportedSegment[], speaker: string): number {
  const own = segments.filter((turn) => turn.speaker === speaker);
  return own.filter((turn) =>
    segments.some(
      (other) =>
        other.speaker !== speaker &&
        other.start < turn.start &&
        // In milliseconds: the difference of two tenths is not exact.
        Math.round(1_000 * (Math.min(other.end, turn.end) - turn.start)) >= 300,
    ),
  ).length;
}

function longestByDefinition(segments: readonly ExportedSegment[], speaker: string): number {
  const turns = segments.toSorted((a, b) => a.start - b.start);
  const lengths = turns.flatMap((turn, i) => {
    if (turn.speaker !== speaker) return [];
    const before = turns.slice(0, i).findLastIndex((other) => other.speaker !== speaker);
    const next = turns.slice(i).find((other) => other.speaker !== speaker);
    return [Math.min(turn.end, next?.start ?? Infinity) - turns[before + 1]!.start];
  });
  return Math.max(0, ...lengths);
}

const arbitraryTurns = fc.array(
  fc.record({
    speaker: fc.constantFrom('speaker_0', 'speaker_1', 'speaker_2'),
    // Tenths of a second, so that starts and ends coincide.
    start: fc.integer({ min: 0, max: 100 }).map((tenths) => tenths / 10),
    length: fc.integer({ min: 1, max: 40 }).map((tenths) => tenths / 10),
  }),
  { maxLength: 30 },
);

/** Tenths of a second in which so many speakers talk. */
function tenthsOf(segments: readonly ExportedSegment[], enough: (talking: number) => boolean) {
  const tenths = Array.from({ length: 200 }, (_, tenth) => tenth / 10 + 0.05);
  return tenths.filter((at) => {
    const talking = segments.filter(({ start, end }) => start < at && at < end);
    return enough(new Set(talking.map(({ speaker }) => speaker)).size);
  }).length;
}

test('talk and overlap are those of speakers, not of turns, and add up', (t) => {
  fc.assert(
    fc.property(arbitraryTurns, (turns) => {
      const segments = turns.map(({ speaker, start, length }): ExportedSegment => {
        return { ...blank, speaker, start, end: start + length };
      });
      const found = callMetrics({ duration: 20, segments });
      const equals = (seconds: number, tenths: number): void => {
        t.true(Math.abs(seconds - tenths / 10) < 0.01, `${seconds} s, ${tenths} tenths`);
      };
      equals(
        found.talkSeconds,
        tenthsOf(segments, (talking) => talking >= 1),
      );
      equals(
        found.overlapSeconds,
        tenthsOf(segments, (talking) => talking >= 2),
      );
      equals(found.talkSeconds + found.silenceSeconds, 200);
      for (const { speaker, talkSeconds } of found.speakers) {
        const own = segments.filter((each) => each.speaker === speaker);
        equals(
          talkSeconds,
          tenthsOf(own, (talking) => talking === 1),
        );
      }
    }),
  );
});

test('interruptions and monologues are those that comparing all pairs finds', (t) => {
  fc.assert(
    fc.property(arbitraryTurns, (turns) => {
      const segments = turns.map(({ speaker, start, length }): ExportedSegment => {
        return { ...blank, speaker, start, end: start + length };
      });
      for (const found of callMetrics({ duration: 20, segments }).speakers) {
        const { speaker, interruptions, longestMonologueSeconds } = found;
        t.is(interruptions, interruptionsByDefinition(segments, speaker));
        const longest = longestByDefinition(segments, speaker);
        t.true(Math.abs(longestMonologueSeconds - longest) <= 0.0005);
      }
    }),
    { numRuns: 500 },
  );
});

/** How often times are read, in a call in which everybody is interrupted. */
function stepsOf(turns: number, speakers: number): number {
  let steps = 0;
  const counted = (value: number): number => {
    const valueOf = (): number => {
      steps += 1;
      return value;
    };
    return { valueOf } as unknown as number;
  };
  const segments = Array.from({ length: turns }, (_, i): ExportedSegment => {
    return { ...blank, speaker: `s${i % speakers}`, start: counted(i), end: counted(i + 1.2) };
  });
  callMetrics({ duration: turns + 2, segments });
  return steps;
}

test('ten times the turns, or a speaker for each, take about ten times the steps', (t) => {
  for (const speakersOf of [() => 2, (turns: number) => turns]) {
    const [few, many] = [500, 5_000].map((turns) => stepsOf(turns, speakersOf(turns))) as [
      number,
      number,
    ];
    t.true(many / few < 15, `${few} steps for 500 turns, ${many} for 5,000`);
  }
});
