// How alike two words sound, judged by their letters: an edit distance over letters that are folded
// to sounds, in which vowels and neighbouring consonants differ by less (after Zobel and Dart 1996,
// "Phonetic string matching"); pure.

/** In order; a capital stands for a sound that is written with two letters. */
const foldings: readonly (readonly [RegExp, string])[] = [
  [/[^\p{L}\p{N}]/gu, ''],
  [/ß/g, 'ss'],
  [/tsch|tch/g, 'C'],
  [/sch|sh/g, 'S'],
  [/ch/g, 'C'],
  [/ph/g, 'f'],
  [/th/g, 'T'],
  [/ck|q/g, 'k'],
  [/x/g, 'ks'],
  [/^kn|^gn/g, 'n'],
  [/^wr/g, 'r'],
  [/gh/g, 'g'],
  [/c(?=[eiy])/g, 's'],
  [/c/g, 'k'],
  [/y/g, 'i'],
  [/(.)\1+/gu, '$1'],
];
const vowels = 'aeiou';
/** Consonants of one place in the mouth, which recognisers and accents confuse. */
const alike = ['bp', 'dtT', 'gkC', 'szS', 'fvw', 'Cj', 'CS', 'gj', 'mn', 'lr', 'zj'];
const costs = { vowel: 0.4, alike: 0.5, weak: 0.5, other: 1 };

/** The sounds of a word or phrase: blanks, marks and case do not count. */
export function soundsOf(written: string): string {
  const bare = written.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return foldings.reduce((text, [from, to]) => text.replaceAll(from, to), bare);
}

/**
 * 0 for equal sounds, 1 and higher for words that have nothing in common.
 * @param a from `soundsOf`
 */
export function soundDistance(a: string, b: string): number {
  const [left, right] = [Array.from(a), Array.from(b)];
  let row = [0];
  for (const sound of right) row.push(row.at(-1)! + gapCost(sound));
  for (const sound of left) {
    const next = [row[0]! + gapCost(sound)];
    right.forEach((other, i) => {
      const replaced = row[i]! + swapCost(sound, other);
      const left_ = next[i]! + gapCost(other);
      next.push(Math.min(replaced, left_, row[i + 1]! + gapCost(sound)));
    });
    row = next;
  }
  return row.at(-1)! / Math.max(1, left.length, right.length);
}

function gapCost(sound: string): number {
  return vowels.includes(sound) || sound === 'h' ? costs.weak : costs.other;
}

function swapCost(a: string, b: string): number {
  if (a === b) return 0;
  if (vowels.includes(a) && vowels.includes(b)) return costs.vowel;
  return alike.some((group) => group.includes(a) && group.includes(b)) ? costs.alike : costs.other;
}
