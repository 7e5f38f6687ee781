// Letters with words that begin with them: "A as in apple", "B wie Berta", "M for Mike".
import type { Token } from './tokens.ts';

/** Between a letter and a word that begins with it. */
const links = ['as in', 'like in', 'for', 'like', 'wie', 'comme', 'come', 'de', 'als in', 'als'];
const linkWords = links.map((link) => link.split(' '));

/** A letter, with the word that spells it as a part of it. */
export interface SpelledToken extends Token {
  readonly isSpelled?: true;
}

/** @param tokens of one speaker, in order */
export function withSpelledLetters(tokens: readonly Token[]): readonly SpelledToken[] {
  const joined: SpelledToken[] = [];
  for (let i = 0; i < tokens.length; i += 1) {
    const token = tokens[i]!;
    const end = spellingEnd(tokens, i);
    if (end === null) joined.push(token);
    else {
      joined.push({ ...token, last: tokens[end]!.last, isSpelled: true });
      i = end;
    }
  }
  return joined;
}

/** Index of the word that spells a letter; null where none does. */
function spellingEnd(tokens: readonly Token[], at: number): number | null {
  const letter = tokens[at]!.text;
  if (!/^[a-z]$/.test(letter)) return null;
  const link = linkWords.find((words) =>
    words.every((word, i) => tokens[at + 1 + i]?.text === word),
  );
  if (!link) return null;
  const end = at + 1 + link.length;
  const word = tokens[end]?.text ?? '';
  const isOfLetter = word.length > 1 && word.normalize('NFD').startsWith(letter);
  return isOfLetter && tokens[end]!.digits === null ? end : null;
}
