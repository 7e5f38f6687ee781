// Parses the values of command-line options.
import { readFile } from 'node:fs/promises';

/** The lines of a file that are not blank. @throws when it cannot be read */
export async function readLines(path: string): Promise<readonly string[]> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error(`${path} cannot be read`);
  });
  return text.split('\n').filter((line) => line.trim() !== '');
}

/** @throws for text without a word: a script's variable that was never set */
export function parseText(name: string): (text: string) => string {
  return (text) => {
    if (/[^\s,;]/.test(text)) return text;
    throw new Error(`${name} needs a value, got "${text}"`);
  };
}

/** The parts between commas that are not blank, as forms of the service read them. */
export function listOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

/**
 * `90s`, `15m`, `24h` or `30d` in seconds: a bare number would be hours to one, seconds to another.
 * @throws for anything else
 */
export function parseDuration(text: string): number {
  const [, number, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (number === undefined)
    throw new Error(`a duration must look like 90s, 15m, 24h or 30d, got "${text}"`);
  return Number(number) * { s: 1, m: 60, h: 3_600, d: 86_400 }[unit as 's' | 'm' | 'h' | 'd'];
}

/** @throws unless the text is a whole number from `min` on, and up to `max` */
export function parseWhole(name: string, min = 0, max?: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= (max ?? value)) return value;
    const allowed = max === undefined ? `of at least ${min}` : `from ${min} to ${max}`;
    throw new Error(`${name} must be a whole number ${allowed}, got "${text}"`);
  };
}
