// Conversations as text, with what is found in them marked.
import { redactionKinds, type Redaction } from '../../../models/contract/redaction.ts';
import { findSensitive } from '../../../models/redaction/find-sensitive.ts';
import { nameHashes } from '../../../models/redaction/name-hash.ts';
import { names } from './made-calls.ts';

export const everything: Redaction = {
  kinds: redactionKinds,
  names: names.flatMap(nameHashes),
};

/** `A: text B: text`, half a second a word. @returns the text with findings in brackets */
export function marked(text: string, { language = 'en', redaction = everything } = {}): string {
  let speaker = 0;
  const words = text.split(' ').flatMap((word, i) => {
    if (/^[AB]:$/.test(word)) {
      speaker = word === 'A:' ? 0 : 1;
      return [];
    }
    return [{ word, start: i / 2, end: i / 2 + 0.4, speaker, language }];
  });
  const found = findSensitive(words, redaction);
  return words
    .map(({ word }, i) => {
      const finding = found.find(({ words: own }) => own.includes(i));
      const opening = finding?.words[0] === i ? `${finding.kind}<` : '';
      return `${opening}${word}${finding?.words.at(-1) === i ? '>' : ''}`;
    })
    .join(' ');
}
