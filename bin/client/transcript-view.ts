// A transcript for a terminal: one line per segment with its time.
import { z } from 'zod';

/** The part of a SpeechResult (interface.md) that is shown. */
const resultSchema = z.object({
  duration: z.number(),
  segments: z.array(z.object({ start: z.number(), end: z.number(), text: z.string().nullish() })),
});

/**
 * @param body of a SpeechResult
 * @param tookSeconds wall time of the request
 */
export function transcriptLines(body: unknown, tookSeconds: number): readonly string[] {
  const { duration, segments } = resultSchema.parse(body);
  return [
    ...segments.map(({ start, text }) => `${clock(start)}  ${text ?? ''}`),
    speedLine(duration, tookSeconds),
  ];
}

/** How long the given audio took. */
export function speedLine(duration: number, tookSeconds: number): string {
  const factor = duration > 0 ? tookSeconds / duration : 0;
  const times = `${duration.toFixed(1)} s of audio in ${tookSeconds.toFixed(2)} s`;
  return `${times} (real-time factor ${factor.toFixed(3)})`;
}

/** Seconds as m:ss.d, with hours if there are any. */
export function clock(seconds: number): string {
  const tenths = Math.round(seconds * 10);
  const hours = Math.floor(tenths / 36_000);
  const minutes = Math.floor(tenths / 600) % 60;
  const rest = ((tenths % 600) / 10).toFixed(1).padStart(4, '0');
  if (hours === 0) return `${minutes}:${rest}`;
  return `${hours}:${String(minutes).padStart(2, '0')}:${rest}`;
}
