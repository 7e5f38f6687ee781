// Normalises texts before words are compared: case, punctuation, numbers, spelling variants.
import { numberWords } from '../../models/alignment/number-words.ts';

/** Spellings that differ between transcribers without being errors. */
const spellings: Readonly<Record<string, string>> = {
  okay: 'ok',
  mr: 'mister',
  mrs: 'missus',
  dr: 'doctor',
  pm: 'p m',
  email: 'e mail',
  "o'clock": 'oh clock',
  fourtieth: 'fortieth',
  ...Object.fromEntries(
    [
      ...['voice mail', 'can not', 'per cent', 'file name', 'play back', 'black list'],
      ...['touch tone', 'key word', 'key words', 'log in', 'good bye', 'de activated'],
    ].map((words) => [words.replaceAll(' ', ''), words]),
  ),
};

/** Contractions are read as the words they stand for, as in Whisper's normaliser. */
const contractions: readonly (readonly [RegExp, string])[] = [
  [/\b(i)'m\b/g, '$1 am'],
  [/\b(you|we|they)'re\b/g, '$1 are'],
  [/\b(that|it|he|she|there|what)'s\b/g, '$1 is'],
  [/n't\b/g, ' not'],
  [/'ll\b/g, ' will'],
  [/'ve\b/g, ' have'],
];

/**
 * Lower-case words without punctuation; in English digits are read out as words and contractions
 * as what they stand for.
 */
export function normaliseWords(text: string, language = 'en'): readonly string[] {
  if (language !== 'en') return bareWords(text.toLowerCase().replaceAll(/[’`]/g, "'"));
  const spoken = text
    .toLowerCase()
    .replaceAll(/[’`]/g, "'")
    .replaceAll('*', ' star ')
    .replaceAll('#', ' pound ');
  const words = contractions
    .reduce((all, [form, full]) => all.replaceAll(form, full), spoken)
    .replaceAll(/(\d),(?=\d{3})/g, '$1')
    .replaceAll(/(\d+)(st|nd|rd|th)\b/g, '$1')
    .replaceAll(/\d+/g, (digits) => ` ${numberWords(digits)} `);
  return bareWords(words).flatMap((word) =>
    (Object.hasOwn(spellings, word) ? spellings[word]! : word).split(' '),
  );
}

function bareWords(text: string): readonly string[] {
  return text
    .replaceAll(/[^\p{L}\p{N}' ]/gu, ' ')
    .split(/\s+/)
    .map((word) => word.replaceAll(/^'+|'+$/g, ''))
    .filter((word) => word !== '');
}
