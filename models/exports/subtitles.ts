// Subtitles: cues that are short enough to read, cut between words, as SubRip and WebVTT; pure.
import type { ExportedResult, ExportedSegment, ExportedWord } from './result.ts';

export interface Cue {
  /** Seconds; a cue never ends before it starts. */
  readonly start: number;
  readonly end: number;
  readonly speaker: string | null;
  /** One or two lines of at most 42 characters, except for a single longer word. */
  readonly lines: readonly string[];
}

/**
 * The guidelines of BBC and Netflix agree on two lines of about 42 characters, and on 7 seconds.
 */
const maxLineCharacters = 42;
const maxLines = 2;
const maxSeconds = 7;

/** SubRip: numbered cues, commas before the milliseconds, `speaker:` before the words. */
export function toSrt(result: ExportedResult): string {
  return toCues(result)
    .map(({ start, end, speaker, lines }, i) => {
      const spoken = [...lines];
      if (speaker !== null) spoken[0] = `${speaker}: ${spoken[0]}`;
      return `${i + 1}\n${clock(start, ',')} --> ${clock(end, ',')}\n${spoken.join('\n')}\n`;
    })
    .join('\n');
}

/** WebVTT (W3C): voices as `<v speaker>`. */
export function toVtt(result: ExportedResult): string {
  const cues = toCues(result).map(({ start, end, speaker, lines }) => {
    const text = lines.map(escapeVtt).join('\n');
    const voiced = speaker === null ? text : `<v ${speaker}>${text}`;
    return `${clock(start, '.')} --> ${clock(end, '.')}\n${voiced}\n`;
  });
  return ['WEBVTT\n', ...cues].join('\n');
}

/** Cues in the order of the segments; segments without words have none. */
export function toCues({ segments }: ExportedResult): readonly Cue[] {
  return segments.flatMap((segment) => {
    const words = segment.words.length > 0 ? segment.words : wholeText(segment);
    return cueGroups(words).map((group) => ({
      start: group[0]!.start,
      end: Math.max(group[0]!.start, group.at(-1)!.end),
      speaker: segment.speaker,
      lines: wrap(group.map(({ word }) => word)),
    }));
  });
}

/** A text without word times is spread evenly over its segment. */
function wholeText({ text, start, end }: ExportedSegment): readonly ExportedWord[] {
  const words = (text ?? '').split(/\s+/).filter((word) => word !== '');
  const each = (end - start) / Math.max(1, words.length);
  return words.map((word, i) => ({
    word,
    start: start + i * each,
    end: start + (i + 1) * each,
  }));
}

function cueGroups(words: readonly ExportedWord[]): readonly (readonly ExportedWord[])[] {
  const groups: ExportedWord[][] = [];
  for (const word of words) {
    const group = groups.at(-1);
    const tried = group && [...group, word];
    if (tried && wrap(tried.map((each) => each.word)).length <= maxLines) {
      if (word.end - group[0]!.start <= maxSeconds) {
        group.push(word);
        continue;
      }
    }
    groups.push([word]);
  }
  return groups;
}

function wrap(words: readonly string[]): readonly string[] {
  const lines: string[] = [];
  for (const word of words) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= maxLineCharacters) {
      lines[lines.length - 1] = `${line} ${word}`;
    } else lines.push(word);
  }
  return lines;
}

function escapeVtt(line: string): string {
  return line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** hh:mm:ss and milliseconds. */
function clock(seconds: number, separator: ',' | '.'): string {
  const total = Math.round(seconds * 1_000);
  const part = (value: number, digits: number): string => String(value).padStart(digits, '0');
  const [hours, minutes] = [Math.floor(total / 3_600_000), Math.floor(total / 60_000) % 60];
  const rest = `${part(Math.floor(total / 1_000) % 60, 2)}${separator}${part(total % 1_000, 3)}`;
  return `${part(hours, 2)}:${part(minutes, 2)}:${rest}`;
}
