// Murmurs that nobody is likely to have said: a cough is written as "Uh-huh."; pure.
import { splitSegments } from './segments.ts';
import { bareWord, type Word } from './transcript.ts';

/** What coughs, animals and laughter between sentences are written as, in letters alone. */
const murmurs = new Set(['mhm', 'mmhm', 'mmhmm', 'uhhuh', 'huh', 'hm', 'hmm']);
/** Four of five words below are wrong; one that answers a question is surer (docs/adr/0083). */
const leastConfidence = 0.2;

/** Without those that stand alone between pauses; beside other words they mean little. */
export function withoutUnheardMurmurs(words: readonly Word[]): readonly Word[] {
  if (!words.some(isUnheard)) return words;
  return splitSegments(words).flatMap((segment) => (segment.every(isUnheard) ? [] : segment));
}

function isUnheard({ word, confidence }: Word): boolean {
  const letters = bareWord(word).replaceAll("'", '');
  return (confidence ?? 1) < leastConfidence && murmurs.has(letters);
}
