// Subtitle cues from segments: short enough to read, cut between words; pure.
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
