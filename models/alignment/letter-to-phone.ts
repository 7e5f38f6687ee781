// Phones of words outside the dictionary: a rule per letter in its context, widest context first.

/**
 * Rules by context: the letter with its neighbours, "left letter right" joined by `|`, maps to the
 * names of its phones. `#` stands for the edge of the word.
 */
export type LetterRules = Readonly<Record<string, readonly string[]>>;

/** Neighbours on the left and on the right, widest first; the last is the letter alone. */
const contexts = [
  [3, 3],
  [2, 3],
  [2, 2],
  [1, 2],
  [1, 1],
  [0, 1],
  [0, 0],
] as const;

/** Reads the file that training/letter_to_phone.py writes. */
export function parseLetterRules(json: string): LetterRules {
  return JSON.parse(json) as LetterRules;
}

/** ARPAbet names for a lower-case word of letters; letters without a rule are silent. */
export function letterPhones(word: string, rules: LetterRules): readonly string[] {
  const padded = `###${word.replaceAll(/[^a-z]/g, '')}###`;
  const phones: string[] = [];
  for (let i = 3; i < padded.length - 3; i += 1) {
    for (const [left, right] of contexts) {
      const key = `${padded.slice(i - left, i)}|${padded[i]}|${padded.slice(i + 1, i + 1 + right)}`;
      const rule = rules[key];
      if (rule === undefined) continue;
      phones.push(...rule);
      break;
    }
  }
  return phones;
}
