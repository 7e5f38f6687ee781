// The words of a segment as its text shows them, with their times: where numbers are written in
// digits, the text has other words than were spoken; pure.
import type { ExportedSegment, ExportedWord } from './result.ts';

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
  const timed: ExportedWord[] = [];
  for (let [i, j] = [0, 0]; i < shown.length;) {
    if (spoken[j]?.word === shown[i]) {
      timed.push(spoken[j]!);
      i += 1;
      j += 1;
      continue;
    }
    const next = meeting(shown, spoken, { i, j });
    timed.push(...spread(shown.slice(i, next.i), spoken, { from: j, to: next.j }));
    [i, j] = [next.i, next.j];
  }
  return timed;
}

interface Position {
  readonly i: number;
  readonly j: number;
}

/** Where both agree again with the fewest words between; their ends when they do not. */
function meeting(
  shown: readonly string[],
  spoken: readonly ExportedWord[],
  { i, j }: Position,
): Position {
  const left = shown.length - i + (spoken.length - j);
  for (let skipped = 1; skipped < left; skipped += 1) {
    for (let more = Math.min(skipped, shown.length - i); more >= 0; more -= 1) {
      const at = { i: i + more, j: j + skipped - more };
      if (at.j <= spoken.length && agree(shown, spoken, at)) return at;
    }
  }
  return { i: shown.length, j: spoken.length };
}

function agree(
  shown: readonly string[],
  spoken: readonly ExportedWord[],
  { i, j }: Position,
): boolean {
  const count = Math.min(agreement, shown.length - i, spoken.length - j);
  // At the end of one of them, both must end.
  if (count < agreement && shown.length - i !== spoken.length - j) return false;
  return shown.slice(i, i + count).every((word, k) => spoken[j + k]!.word === word);
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
