// A result for a terminal: who spoke when, what, and how.
import { z } from 'zod';
import { clock, speedLine } from './transcript-view.ts';

const score = z.object({ label: z.string() });

/** The part of a SpeechResult (interface.md) that is shown. */
const resultSchema = z.object({
  duration: z.number(),
  segments: z.array(
    z.object({
      start: z.number(),
      text: z.string().nullish(),
      speaker: z.string().nullish(),
      emotions: z.array(score),
      styles: z.array(score),
    }),
  ),
});

/** One line per segment: time, speaker, words, emotions and styles. */
export function resultLines(body: unknown, tookSeconds: number): readonly string[] {
  const { duration, segments } = resultSchema.parse(body);
  return [
    ...segments.map(({ start, speaker, text, emotions, styles }) => {
      const labels = [...emotions, ...styles].map(({ label }) => label).join(', ');
      const parts = [clock(start), speaker, text, labels && `[${labels}]`];
      return parts.filter((part) => part).join('  ');
    }),
    speedLine(duration, tookSeconds),
  ];
}
