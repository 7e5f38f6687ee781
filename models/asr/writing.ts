// Whether a text is in letters that its language is written in; pure.

/** By ISO 15924 code. Languages of other scripts are not judged. */
const ownLetters: Readonly<Record<string, RegExp>> = {
  Cyrl: /\p{Script=Cyrillic}/u,
  Grek: /\p{Script=Greek}/u,
  Latn: /\p{Script=Latin}/u,
};

/** Names are in Latin letters everywhere; digits and marks belong to no script. */
const otherThanLatin = /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/gu;

/**
 * False for a word or text with letters that nobody writes this language in: recognisers whose
 * vocabulary is that of many languages write accented English in Chinese at times.
 * @param language ISO 639-1 code
 */
export function isWrittenIn(language: string, text: string): boolean {
  const letters = text.match(otherThanLatin);
  if (!letters) return true;
  const own = ownLetters[new Intl.Locale(language).maximize().script ?? ''];
  return own === undefined || letters.every((letter) => own.test(letter));
}
