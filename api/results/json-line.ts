// A line of JSON that every reader of lines takes for one.
import type { BatchResultBody } from './line-schemas.ts';

/** Ends of lines to Unicode, and so to some readers; JSON allows them within texts as they are. */
const lineEnds = /[\u0085\u2028\u2029]/g;

/** With the line feed at its end. */
export function jsonLine(line: BatchResultBody): string {
  const escaped = JSON.stringify(line).replaceAll(lineEnds, (mark) => {
    return `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  return `${escaped}\n`;
}
