// The words of a segment as its text shows them, with their times: where numbers are written in
// digits, the text has other words than were spoken; pure.
import type { ExportedSegment, ExportedWord } from './exported-result.ts';

/** This many words in a row must agree for the text and the words to be together again. */
const agreement = 3;

/**
 * Each word of the text with the times of the spoken words that it stands for, and the lowest of
 * their confidences. The spoken words themselves when the text consists of them.
 */
export function shownWords({
  text,
  words,
}: Pick<ExportedSegment, 'text' | 'words'>): readonly ExportedWord[] {
  const shown = (text ?? '').split(' ').filter((word) => word !== '');
  const spoken = words.flatMap((each) => each.word.split(' ').map((word) => ({ ...each, word })));
  if (spoken.length === 0) return [];
  if (spoken.map(({ word }) => word).join(' ') === shown.join(' ')) return words;
  const meetingAfter = meetings(
    shown,
    spoken.map(({ word }) => word),
  );
  const timed: ExportedWord[] = [];
  for (let [i, j] = [0, 0]; i < shown.length;) {
    if (spoken[j]?.word === shown[i]) {
      timed.push(spoken[j]!);
      i += 1;
      j += 1;
      continue;
    }
    const next = meetingAfter({ i, j });
    timed.push(...spread(shown.slice(i, next.i), spoken, { from: j, to: next.j }));
    [i, j] = [next.i, next.j];
  }
  return timed;
}

interface Position {
  readonly i: number;
  readonly j: number;
}

/**
 * Where both agree again with the fewest words between; their ends when they do not. Asked with
 * positions in their order.
 */
function meetings(shown: readonly string[], spoken: readonly string[]): (at: Position) => Position {
  const nextPlace = placesIn(spoken);
  // Where one of them ends before words in a row are enough, both must end.
  const ends = Array.from({ length: agreement }, (_, left) => left)
    .map((left) => ({ i: shown.length - left, j: spoken.length - left }))
    .filter(({ i, j }) => i >= 0 && j >= 0 && phrase(shown.slice(i)) === phrase(spoken.slice(j)));
  return ({ i, j }) => {
    const skipped = (at: Position): number => at.i - i + at.j - j;
    let best = ends.findLast((end) => end.i >= i && end.j >= j)!;
    for (let at = i; at - i <= skipped(best) && at + agreement <= shown.length; at += 1) {
      const place = { i: at, j: nextPlace(phrase(shown.slice(at, at + agreement)), j) };
      if (skipped(place) <= skipped(best)) best = place;
    }
    return best;
  };
}

/** Words contain no blank. */
function phrase(words: readonly string[]): string {
  return words.join(' ');
}

/** @returns the first place of a phrase from a place on, which must not fall; else Infinity */
function placesIn(spoken: readonly string[]): (words: string, from: number) => number {
  const byPhrase = Map.groupBy(
    Array.from({ length: Math.max(0, spoken.length - agreement + 1) }, (_, at) => at).reverse(),
    (at) => phrase(spoken.slice(at, at + agreement)),
  );
  return (words, from) => {
    const places = byPhrase.get(words) ?? [];
    while (places.length > 0 && places.at(-1)! < from) places.pop();
    return places.at(-1) ?? Infinity;
  };
}

/** Divides the time of spoken words among the words that are shown for them. */
function spread(
  shown: readonly string[],
  spoken: readonly ExportedWord[],
  { from, to }: { readonly from: number; readonly to: number },
): readonly ExportedWord[] {
  const known = spoken.slice(Math.min(from, spoken.length - 1), Math.max(from + 1, to));
  return shown.map((word, k) => {
    const first = Math.floor((k * known.length) / shown.length);
    const last = Math.max(first + 1, Math.ceil(((k + 1) * known.length) / shown.length));
    const own = known.slice(first, last);
    const confidences = own.map(({ confidence }) => confidence);
    return {
      word,
      start: own[0]!.start,
      end: own.at(-1)!.end,
      confidence: confidences.includes(null) ? null : Math.min(...(confidences as number[])),
    };
  });
}
