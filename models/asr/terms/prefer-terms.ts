// Replaces words of a decoded chunk by terms of its request that sound alike, where the recogniser
// holds them almost as likely: rescoring of a few hypotheses, so that a chunk without such words is
// left as it was decoded (docs/adr/0059); decides, the scores are asked for.
import { groupTokens, spellWord, type DecodedToken } from '../spelled-words.ts';
import { encodeWord, indexPieces, type PieceIndex } from './byte-pairs.ts';
import { findCandidates, mostCandidates, type Candidate } from './candidates.ts';
import { doubtfulSpellings, type IsCommon } from './spellings.ts';

/** The vocabulary of a recogniser, in both directions. */
export interface TermVocabulary {
  piece(token: number): Uint8Array;
  startsWord(token: number): boolean;
  /** Made when it is first needed. */
  readonly index: () => PieceIndex;
  /** What a word's first piece begins with. */
  readonly wordMark: string;
}

/** Adds the index of the pieces, which is made when a request has terms. */
export function withPieceIndex<V extends Parameters<typeof indexPieces>[0]>(
  vocabulary: V,
  wordMark: string,
): V & Pick<TermVocabulary, 'index' | 'wordMark'> {
  let index: PieceIndex | null = null;
  return { ...vocabulary, wordMark, index: () => (index ??= indexPieces(vocabulary)) };
}

/** A recogniser has common words as one piece. */
export function commonWords({ index, wordMark }: TermVocabulary): IsCommon {
  return (word) => encodeWord(index(), wordMark + word)?.length === 1;
}

export function sumOfLogarithms(tokens: readonly DecodedToken[]): number {
  return tokens.reduce((sum, { logProbability }) => sum + logProbability, 0);
}

export interface DecodedChunk {
  readonly tokens: readonly DecodedToken[];
  /** As the request has them; not empty. */
  readonly terms: readonly string[];
}

/** The logarithm of the probability of each text with its end, of tokens each. */
export type ScoreTexts = (texts: readonly (readonly number[])[]) => Promise<readonly number[]>;

/**
 * A term is taken when the text with it is at least a twentieth as likely: the largest fall of the
 * logarithm. Chosen on half of the readers, alike for Moonshine and Whisper (docs/adr/0059).
 */
const allowedFall = 3;

interface Hypothesis {
  readonly candidate: Candidate;
  /** The tokens in the place of the words. */
  readonly tokens: readonly number[];
}

/** @returns the tokens of the text with its terms; null when it is left as it is */
export async function preferTerms(
  { tokens, terms }: DecodedChunk,
  vocabulary: TermVocabulary,
  score: ScoreTexts,
): Promise<readonly number[] | null> {
  const groups = groupTokens(tokens, vocabulary);
  const words = groups.map((group) => spellWord(group, vocabulary).word);
  const isCommon = commonWords(vocabulary);
  const hypotheses = placesOf(words, terms, isCommon).flatMap((candidate) => {
    const spelled = spell(candidate.written, vocabulary);
    return spelled ? [{ candidate, tokens: spelled }] : [];
  });
  if (hypotheses.length === 0) return null;
  const ids = groups.map((group) => group.map(({ id }) => id));
  const texts = [[], ...hypotheses.map((each) => [each])].map((chosen) => textWith(ids, chosen));
  const [unchanged, ...changed] = await score(texts);
  const likely = hypotheses
    .map((hypothesis, i) => ({ hypothesis, fall: unchanged! - changed[i]! }))
    .filter(({ fall }) => fall <= allowedFall)
    .sort((a, b) => a.fall - b.fall);
  const chosen: Hypothesis[] = [];
  for (const { hypothesis } of likely) {
    if (chosen.every((other) => isApart(other, hypothesis))) chosen.push(hypothesis);
  }
  return chosen.length === 0 ? null : textWith(ids, chosen);
}

/** Where a term may have been spoken: words with its letters, or its sounds. */
function placesOf(
  words: readonly string[],
  terms: readonly string[],
  isCommon: IsCommon,
): readonly Candidate[] {
  const spelled = doubtfulSpellings(words, terms, isCommon).map((own) => ({
    ...{ first: own[0]!.first, end: own.at(-1)!.end, distance: 0 },
    written: own.map(({ written }) => written).join(' '),
  }));
  return [...spelled, ...findCandidates(words, terms)].slice(0, mostCandidates(words.length));
}

function spell(written: string, { index, wordMark }: TermVocabulary): readonly number[] | null {
  const words = written.split(/\s+/).map((word) => encodeWord(index(), wordMark + word));
  return words.every((word) => word !== null) ? words.flat() : null;
}

function isApart({ candidate: one }: Hypothesis, { candidate: other }: Hypothesis): boolean {
  return one.end <= other.first || other.end <= one.first;
}

/** @param words tokens of each @param chosen none of them overlaps another */
function textWith(
  words: readonly (readonly number[])[],
  chosen: readonly Hypothesis[],
): readonly number[] {
  return words.flatMap((word, i) => {
    const own = chosen.find(({ candidate: { first, end } }) => i >= first && i < end);
    if (!own) return word;
    return own.candidate.first === i ? own.tokens : [];
  });
}
