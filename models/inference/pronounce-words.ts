// Known words aligned to a chunk: when each is spoken, and how well.
import {
  alignFirstPhones,
  alignPhones,
  marginOf,
  type AlignedWord,
} from '../alignment/word-aligner.ts';
import type { PhoneScores } from '../alignment/phone-scores.ts';
import type { HeardWord } from '../proficiency/pronounced-word.ts';
import type { KnownWords } from './jobs.ts';
import type { LoadedModels } from './loaded-models.ts';

/** A phone is heard where the likeliest one has not a higher log-posterior by more than this. */
const maxMargin = 2;

/**
 * @param samples 16 kHz mono in -1..1, at most 30 s
 * @returns one entry per word that the chunk contains, with times from its start; a word that is
 * not spoken has 0 phones, and so has every word of a chunk that is too short for all of them
 */
export async function pronounceWords(
  { features: { encoder, phoneScorer }, recognizer, vowels }: LoadedModels,
  samples: Float32Array,
  { words, toTheLast }: KnownWords,
): Promise<readonly HeardWord[]> {
  const scores = await phoneScorer.score(await encoder.encode(samples));
  const parts = recognizer.wordAligner.pronouncer.partsOf(words);
  const aligned = toTheLast ? alignPhones(parts, scores) : alignFirstPhones(parts, scores);
  return words.slice(0, toTheLast ? words.length : aligned?.length).map((word, i) => {
    const found = aligned?.[i];
    const { start, end } = found?.span ?? { start: 0, end: 0 };
    return {
      word,
      start: scores.startSeconds(start),
      end: scores.startSeconds(end),
      phones: found?.phones.length ?? 0,
      gop: found ? goodness(found, scores) : 0,
      vowelSeconds: found ? vowelLengths(found, scores, vowels) : [],
      heardSeconds: found ? heardSeconds(found, scores) : 0,
    };
  });
}

/**
 * Goodness of pronunciation (Witt and Young 2000): the mean over the phones, so that a long vowel
 * counts no more than a stop.
 */
function goodness({ phones, spans }: AlignedWord, scores: PhoneScores): number {
  if (phones.length === 0) return 0;
  const sum = phones.reduce((total, phone, i) => {
    const span = spans[i]!;
    return total + marginOf(phone, span, scores) / Math.max(1, span.end - span.start);
  }, 0);
  return sum / phones.length;
}

function heardSeconds({ phones, spans, span }: AlignedWord, scores: PhoneScores): number {
  let heard = 0;
  for (const [i, { start, end }] of spans.entries()) {
    for (let frame = start; frame < end; frame += 1) {
      const margin = marginOf(phones[i]!, { start: frame, end: frame + 1 }, scores);
      if (margin >= -maxMargin) heard += 1;
    }
  }
  const seconds = scores.startSeconds(span.end) - scores.startSeconds(span.start);
  return (seconds * heard) / Math.max(1, span.end - span.start);
}

function vowelLengths(
  { phones, spans }: AlignedWord,
  scores: PhoneScores,
  vowels: ReadonlySet<number>,
): readonly number[] {
  return spans.flatMap(({ start, end }, i) =>
    vowels.has(phones[i]!) ? [scores.startSeconds(end) - scores.startSeconds(start)] : [],
  );
}
