// Subtitles: cues that are shown long enough to be read, as SubRip and WebVTT; pure.
import { partition } from '../contract/partition.ts';
import { cueGroups, maxCueSeconds, minCueSeconds, toLines } from './cue-breaks.ts';
import type { ExportedResult, ExportedSegment, ExportedWord } from './exported-result.ts';
import { shownWords } from './shown-words.ts';

export interface Cue {
  /** Seconds; a cue of a recording that lasts any time ends behind its start. */
  readonly start: number;
  readonly end: number;
  readonly speaker: string | null;
  /** One or two lines of at most 42 characters, except for a single longer word. */
  readonly lines: readonly string[];
}

/** Adults read about this fast (Netflix, timed text style guide). */
export const charactersPerSecond = 20;
/** Half of a line, and its colon, are for words. */
const maxNameCharacters = 20;

/** SubRip: numbered cues, commas before the milliseconds, `speaker:` before the words. */
export function toSrt(result: ExportedResult): string {
  return toCues(result, namedInSubRip)
    .map(({ start, end, speaker, lines }, i) => {
      const spoken = [...lines];
      spoken[0] = `${namedInSubRip(speaker)}${spoken[0]}`;
      return `${i + 1}\n${clock(start, ',')} --> ${clock(end, ',')}\n${spoken.join('\n')}\n`;
    })
    .join('\n');
}

/** WebVTT (W3C): voices as `<v speaker>`, which players do not show as text. */
export function toVtt(result: ExportedResult): string {
  const cues = toCues(result, () => '').map(({ start, end, speaker, lines }) => {
    const text = lines.map(escapeVtt).join('\n');
    const voiced = speaker === null ? text : `<v ${escapeVtt(speaker)}>${text}`;
    return `${clock(start, '.')} --> ${clock(end, '.')}\n${voiced}\n`;
  });
  return ['WEBVTT\n', ...cues].join('\n');
}

/**
 * Cues in the order of their starts, also where turns overlap; segments without words have none. A
 * cue is shown for as long as reading takes, while no other begins.
 * @param prefixOf what is shown before the words of a speaker, and takes room in the first line
 */
export function toCues(
  { duration, segments }: ExportedResult,
  prefixOf: (speaker: string | null) => string,
): readonly Cue[] {
  const spoken = segments.flatMap((segment) => {
    const words = segment.words.length > 0 ? shownWords(segment) : wholeText(segment);
    const prefix = prefixOf(segment.speaker).length;
    return cueGroups(words, prefix).map((group) => {
      const texts = group.map(({ word }) => word);
      const [start, end] = [group[0]!.start, group.at(-1)!.end];
      return {
        start: end > start ? start : visibleStart(start, duration),
        end: Math.max(start, end),
        speaker: segment.speaker,
        lines: toLines(texts, prefix) ?? texts,
      };
    });
  });
  const cues = spoken.toSorted((a, b) => a.start - b.start);
  return cues.map((cue) => {
    const characters = prefixOf(cue.speaker).length + cue.lines.join(' ').length;
    const after = partition(cues.length, (i) => cues[i]!.start > cue.start);
    const room = { next: cues[after]?.start ?? Infinity, duration };
    return { ...cue, end: readableEnd(cue, characters, room) };
  });
}

/**
 * What was heard in the silence behind a recording lasts no time, and begins where nothing can be
 * shown any more; WebVTT has no such cues.
 */
function visibleStart(start: number, duration: number): number {
  return Math.max(0, Math.min(start, duration - minCueSeconds));
}

interface Room {
  /** Start of the next cue, and end of the recording. */
  readonly next: number;
  readonly duration: number;
}

function readableEnd({ start, end }: Cue, characters: number, { next, duration }: Room): number {
  const wanted = start + Math.max(minCueSeconds, characters / charactersPerSecond);
  return Math.max(end, Math.min(wanted, next, duration, start + maxCueSeconds));
}

/** The speaker's name before the words in SubRip, which has no place for it. */
function namedInSubRip(speaker: string | null): string {
  return speaker === null ? '' : `${shortName(speaker)}: `;
}

/** A long name would leave the first line no room for words. */
function shortName(name: string): string {
  if (name.length <= maxNameCharacters) return name;
  // The cut may halve a character of two units.
  const kept = name.slice(0, maxNameCharacters - 1).replace(/\p{Surrogate}$/u, '');
  return `${kept.trimEnd()}…`;
}

/** A text without word times is spread evenly over its segment. */
function wholeText({ text, start, end }: ExportedSegment): readonly ExportedWord[] {
  const words = (text ?? '').split(/\s+/).filter((word) => word !== '');
  const each = (end - start) / Math.max(1, words.length);
  return words.map((word, i) => ({
    word,
    start: start + i * each,
    end: start + (i + 1) * each,
    confidence: null,
  }));
}

/** Of a line, or of a speaker's name: the annotation of a tag has the same escapes. */
function escapeVtt(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** hh:mm:ss and milliseconds. */
function clock(seconds: number, separator: ',' | '.'): string {
  const total = Math.round(seconds * 1_000);
  const part = (value: number, digits: number): string => String(value).padStart(digits, '0');
  const [hours, minutes] = [Math.floor(total / 3_600_000), Math.floor(total / 60_000) % 60];
  const rest = `${part(Math.floor(total / 1_000) % 60, 2)}${separator}${part(total % 1_000, 3)}`;
  return `${part(hours, 2)}:${part(minutes, 2)}:${rest}`;
}
