// Word error rate: Levenshtein distance over words, with its kinds of error.

export interface WordErrors {
  readonly substitutions: number;
  readonly deletions: number;
  readonly insertions: number;
  readonly referenceWords: number;
}

/** Least edits that turn the reference into the hypothesis (Wagner and Fischer 1974). */
export function countWordErrors(
  reference: readonly string[],
  hypothesis: readonly string[],
): WordErrors {
  // Row i, column j: [edits, substitutions, deletions, insertions] of the two prefixes.
  type Cell = readonly [number, number, number, number];
  let previous: Cell[] = Array.from({ length: hypothesis.length + 1 }, (_, j) => [j, 0, 0, j]);
  reference.forEach((word, i) => {
    const row: Cell[] = [[i + 1, 0, i + 1, 0]];
    hypothesis.forEach((other, j) => {
      const [e, s, d, n] = previous[j]!;
      const kept: Cell = word === other ? [e, s, d, n] : [e + 1, s + 1, d, n];
      const up = previous[j + 1]!;
      const left = row[j]!;
      const dropped: Cell = [up[0] + 1, up[1], up[2] + 1, up[3]];
      const added: Cell = [left[0] + 1, left[1], left[2], left[3] + 1];
      row.push([kept, dropped, added].reduce((best, cell) => (cell[0] < best[0] ? cell : best)));
    });
    previous = row;
  });
  const [, substitutions, deletions, insertions] = previous[hypothesis.length]!;
  return { substitutions, deletions, insertions, referenceWords: reference.length };
}

/** Errors per reference word over a whole set. */
export function wordErrorRate(all: readonly WordErrors[]): number {
  const sum = (pick: (errors: WordErrors) => number): number =>
    all.reduce((total, errors) => total + pick(errors), 0);
  const edits = sum((e) => e.substitutions + e.deletions + e.insertions);
  return (
    edits /
    Math.max(
      1,
      sum((e) => e.referenceWords),
    )
  );
}
