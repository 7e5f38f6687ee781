// Where the words of a segment are broken into cues and lines of subtitles; pure.
import type { ExportedWord } from './exported-result.ts';

/**
 * The guidelines of BBC and Netflix agree on two lines of about 42 characters, and on 7 seconds.
 */
const maxLineCharacters = 42;
export const maxCueSeconds = 7;
/** A cue that is shown for less is not read. */
export const minCueSeconds = 1;

/** What a cue and its breaks cost; only their proportions matter. */
const costs = { cue: 2, afterComma: 1, withinPhrase: 3, orphan: 12, pause: 6 };
/** Fewer characters are an orphan beside further cues of the same segment. */
const orphanCharacters = 12;
/** A cue that stands through a longer pause shows words long before they are spoken. */
const pauseSeconds = 1.5;

/**
 * Divides words into cues by dynamic programming (after Knuth and Plass, "Breaking paragraphs into
 * lines", 1981): every cue fits its lines and its time, breaks prefer the ends of sentences and
 * clauses, and no cue is an orphan where another division avoids it.
 * @param prefixCharacters of the speaker's name before the first line
 * @returns cues of at least one word, in order; a word that is too long is a cue of its own
 */
export function cueGroups<Word extends ExportedWord>(
  words: readonly Word[],
  prefixCharacters: number,
): readonly (readonly Word[])[] {
  const texts = words.map(({ word }) => word);
  /** By number of words: the least cost of dividing so many, and the start of their last cue. */
  const best: { cost: number; from: number }[] = [{ cost: 0, from: 0 }];
  for (let end = 1; end <= words.length; end += 1) {
    let cheapest = { cost: Infinity, from: end - 1 };
    for (let from = end - 1; from >= 0; from -= 1) {
      const isAlone = from === end - 1;
      const fits = isFit(words, texts, { from, end, prefixCharacters });
      if (!fits && !isAlone) break;
      const cost = best[from]!.cost + costOf(words, from, end);
      if (cost < cheapest.cost) cheapest = { cost, from };
    }
    best.push(cheapest);
  }
  const groups: (readonly Word[])[] = [];
  for (let end = words.length; end > 0; end = best[end]!.from) {
    groups.push(words.slice(best[end]!.from, end));
  }
  return groups.toReversed();
}

interface Candidate {
  readonly from: number;
  readonly end: number;
  readonly prefixCharacters: number;
}

function isFit(
  words: readonly ExportedWord[],
  texts: readonly string[],
  { from, end, prefixCharacters }: Candidate,
): boolean {
  if (words[end - 1]!.end - words[from]!.start > maxCueSeconds) return false;
  return toLines(texts.slice(from, end), prefixCharacters) !== null;
}

function costOf(words: readonly ExportedWord[], from: number, end: number): number {
  const first = words[from]!;
  const last = words[end - 1]!;
  let cost = costs.cue + (end === words.length ? 0 : breakCost(last.word));
  let characters = end - from - 1;
  for (let i = from; i < end; i += 1) {
    const next = words[i + 1];
    characters += words[i]!.word.length;
    if (i + 1 < end && next!.start - words[i]!.end > pauseSeconds) cost += costs.pause;
  }
  const isWhole = from === 0 && end === words.length;
  const isShort = characters < orphanCharacters || last.end - first.start < minCueSeconds;
  return isShort && !isWhole ? cost + costs.orphan : cost;
}

function breakCost(word: string): number {
  if (/[.?!…。？！]["'”’)]*$/.test(word)) return 0;
  return /[,;:–—、，]["'”’)]*$/.test(word) ? costs.afterComma : costs.withinPhrase;
}

/**
 * One line, or the two of most equal length.
 * @returns null when the words do not fit two lines
 */
export function toLines(
  words: readonly string[],
  prefixCharacters: number,
): readonly string[] | null {
  const whole = words.join(' ');
  if (prefixCharacters + whole.length <= maxLineCharacters) return [whole];
  let split: { lines: readonly string[]; longest: number } | null = null;
  let first = prefixCharacters - 1;
  for (let i = 1; i < words.length; i += 1) {
    first += 1 + words[i - 1]!.length;
    const second = whole.length - (first - prefixCharacters) - 1;
    const longest = Math.max(first, second);
    if (longest > maxLineCharacters || (split && split.longest <= longest)) continue;
    split = { lines: [words.slice(0, i).join(' '), words.slice(i).join(' ')], longest };
  }
  return split && split.lines;
}
