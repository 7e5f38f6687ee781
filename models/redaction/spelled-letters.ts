// Letters with words that begin with them: "A as in apple", "B wie Berta", "M for Mike".
import { languages, listOf } from './languages/languages.ts';
import type { Token } from './tokens.ts';

/** Between a letter and a word that begins with it, the longer ones first. */
const links = [...new Set(languages.flatMap(({ spellingLinks }) => listOf(spellingLinks, ',')))]
  .map((link) => listOf(link))
  .toSorted((a, b) => b.length - a.length);

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
  const count = linkLength(at + 1, (i) => tokens[i]?.text);
  if (count === 0) return null;
  const end = at + 1 + count;
  const word = tokens[end]?.text ?? '';
  const isOfLetter = word.length > 1 && word.normalize('NFD').startsWith(letter);
  return isOfLetter && tokens[end]!.digits === null ? end : null;
}

/** How many words from one on stand between a letter and a word that begins with it; 0 for none. */
export function linkLength(at: number, textAt: (i: number) => string | undefined): number {
  const link = links.find((words) => words.every((word, i) => textAt(at + i) === word));
  return link?.length ?? 0;
}
