// Finds the chunks in which a recording may change its language: those next to a chunk in another
// language, those in which two languages were detected, and those in part of which another may be
// hidden. Pure.
import { isNeverEnglish } from '../../asr/language-decision.ts';
import { meanConfidence } from '../../asr/second-opinion.ts';
import type { LanguageProbabilities, Word } from '../../asr/transcript.ts';
import type { ChunkLanguage } from './language-vote.ts';

/** A chunk in which the language may change. */
export interface LanguageChange {
  readonly index: number;
  /** Languages that its pieces can have: at least two, unless others may be hidden. */
  readonly candidates: readonly string[];
  /** Part of it sounds unlike English: its pieces can have whatever is detected in one of them. */
  readonly mayHideOthers: boolean;
  /** Whisper's detection in the whole chunk; null if it did not run. */
  readonly languages: LanguageProbabilities | null;
}

/** Such chunks that follow each other, and what is spoken around them. */
export interface LanguageChanges {
  /** null at the ends of the recording. */
  readonly before: string | null;
  readonly after: string | null;
  readonly chunks: readonly LanguageChange[];
}

interface SpokenChunk extends ChunkLanguage {
  /** Only chunks of the same channel are neighbours. */
  readonly channel?: number;
  readonly words: readonly Pick<Word, 'start' | 'end' | 'confidence'>[];
}

/** A language detected with this probability may be spoken in part of the chunk. */
const minDetectedProbability = 0.3;
/** Shorter chunks are in one language. */
const minSeconds = 3;
/**
 * Neighbours on each side of a chunk in English that suggest other languages: a sentence in one is
 * not detected in ten seconds that begin in English, and two such chunks may follow each other.
 */
const neighboursOfEnglish = 3;
/**
 * Neighbours on each side of other chunks, some two minutes in all, that suggest English: Whisper
 * leaves out short English turns, and detects the language of the others alone. Where a chunk
 * sounds a little like English, any English of the recording does.
 */
const englishNeighbours = 6;
/**
 * A chunk that Whisper takes for English suggests that farther than to its neighbours if Moonshine
 * agrees: letters and names in Spanish are taken for English and have lower log-odds.
 */
const leastAgreedLogOdds = 0;

/**
 * An English chunk may hold another language where 1.6 s of it have lower log-odds of English: a
 * sentence alone among others is too short to be heard in the whole chunk.
 */
const hiddenLogOdds = -1;
/** A sentence in another language is written as words of lower confidence ... */
const leastConfidence = 0.15;
/** ... each of which lowers those log-odds. */
const logOddsPerDoubt = 0.5;

/**
 * A chunk in another language may hold English where 1.6 s of it have higher log-odds, and where
 * these are not known in words that are longer: Whisper leaves out what is in a second language.
 */
const hiddenEnglishLogOdds = 1;
const maxWordSeconds = 1.6;
/**
 * English elsewhere in the recording suggests none in a chunk without such a part: in calls of two
 * languages 45 chunks with English had more than 0, and 70 % of the 90 others less than this.
 */
const leastEnglishLogOdds = -1;

/**
 * Moonshine's encoder hears a chunk in another language in which English is this many times as
 * probable as in half of the others, and this probable: a sentence of 2 s is not detected in ten
 * seconds, but raises that probability, which is 0.001 in Italian calls and 0.06 in Spanish ones.
 * In 15 calls with single English turns 123 chunks are heard so, 48 of them with English; with
 * twice instead of three times 211 and 49.
 */
const unusualRatio = 3;
const leastUnusual = 0.002;

/**
 * A chunk of another language holds no third one if it reads well everywhere: of 17 chunks with a
 * change of language all had three words in a row with a lower mean confidence, or a word that
 * covers what was left out (`maxWordSeconds`); of 45 without a change nine had.
 */
const leastRunConfidence = 0.5;
const runWords = 3;

/** @param chunks in order, each with the language in which it was recognised */
export function findLanguageChanges(chunks: readonly SpokenChunk[]): readonly LanguageChanges[] {
  const byChannel = Map.groupBy(chunks, ({ channel }) => channel ?? null);
  return [...byChannel.values()].flatMap(changesOfChannel);
}

/**
 * Indices of chunks in another language of which Moonshine's encoder has not heard how much they
 * sound like English, and which would be cut in search of it although Whisper does not detect it
 * there, or should perhaps be.
 */
export function chunksToHear(chunks: readonly SpokenChunk[]): readonly number[] {
  const mayHold = findLanguageChanges(chunks)
    .flatMap(({ chunks: own }) => own)
    .filter(({ candidates }) => candidates.includes('en'));
  const suggested = new Set(mayHold.map(({ index }) => index));
  const unusual = unusualEnglish(chunks);
  return chunks
    .filter((chunk) => suggested.has(chunk.index) || unusual(chunk))
    .filter((chunk) => chunk.language !== 'en' && !chunk.englishParts)
    .filter((chunk) => !detected(chunk).includes('en'))
    .map(({ index }) => index);
}

/** Whether English is less improbable in a chunk than in most others of its recording. */
function unusualEnglish(chunks: readonly SpokenChunk[]): (chunk: SpokenChunk) => boolean {
  const all = chunks.flatMap(({ languages }) => languages?.en ?? []).toSorted((a, b) => a - b);
  const median = all[Math.floor(all.length / 2)] ?? 0;
  const least = Math.max(leastUnusual, unusualRatio * median);
  return ({ languages }) => (languages?.en ?? 0) >= least;
}

function changesOfChannel(chunks: readonly SpokenChunk[]): readonly LanguageChanges[] {
  const runs: { -readonly [key in keyof LanguageChanges]: LanguageChanges[key] }[] = [];
  let open = false;
  for (const [i, chunk] of chunks.entries()) {
    const before = chunks.slice(0, i).filter(isSpoken);
    const after = chunks.slice(i + 1).filter(isSpoken);
    const around = [...nearby(chunk, before.toReversed(), after), ...detected(chunk)];
    const possible = readsWell(chunk)
      ? around.filter((code) => isEnglishOrOwn(chunk, code))
      : around;
    const candidates = [...new Set(possible)].filter((code) => code !== null);
    const mayHideOthers = hidesOthers(chunk);
    const mayChange = candidates.length > 1 || mayHideOthers;
    if (mayChange && chunk.seconds >= minSeconds) {
      const { index, languages = null } = chunk;
      if (!open) runs.push({ before: before.at(-1)?.language ?? null, after: null, chunks: [] });
      const run = runs.at(-1)!;
      run.chunks = [...run.chunks, { index, candidates, languages, mayHideOthers }];
      run.after = after[0]?.language ?? null;
      open = true;
    } else if (isSpoken(chunk)) open = false;
  }
  return runs;
}

/**
 * Languages that the chunk may hold.
 * @param before nearest first
 */
function nearby(
  chunk: SpokenChunk,
  before: readonly SpokenChunk[],
  after: readonly SpokenChunk[],
): readonly (string | null)[] {
  const language = chunk.language ?? null;
  const upTo = (count: number): readonly (string | null)[] => {
    const near = [...before.slice(0, count), ...after.slice(0, count)];
    return near.map((each) => each.language ?? null);
  };
  if (language === 'en') return [...upTo(neighboursOfEnglish), language];
  if (hidesEnglish(chunk)) return [...upTo(1), 'en', language];
  if (!mayHoldEnglish(chunk)) return [...upTo(1).filter((code) => code !== 'en'), language];
  const mayBeEnglish = typeof chunk.english === 'number' && !isNeverEnglish(chunk.english);
  const reach = mayBeEnglish ? Infinity : englishNeighbours;
  const isEnglishNear = [...before.slice(0, reach), ...after.slice(0, reach)].some(
    isHeardAsEnglish,
  );
  return [...upTo(1), ...(isEnglishNear ? ['en'] : []), language];
}

function isHeardAsEnglish({ language, english }: SpokenChunk): boolean {
  return language === 'en' && (english ?? leastAgreedLogOdds) >= leastAgreedLogOdds;
}

function hidesOthers({ language, englishParts, words }: SpokenChunk): boolean {
  if (language !== 'en' || !englishParts) return false;
  const doubts = words.filter(({ confidence }) => (confidence ?? 1) < leastConfidence).length;
  return englishParts.least - logOddsPerDoubt * doubts < hiddenLogOdds;
}

function hidesEnglish({ englishParts, words }: SpokenChunk): boolean {
  if (englishParts) return englishParts.most > hiddenEnglishLogOdds;
  return words.some(isTooLong);
}

function isEnglishOrOwn({ language }: SpokenChunk, code: string | null): boolean {
  return code === 'en' || code === language;
}

/** False for English, in which other languages are written as words, too. */
function readsWell({ language, words }: SpokenChunk): boolean {
  if (language === 'en' || words.length === 0) return false;
  const runs = Array.from({ length: Math.max(1, words.length - runWords + 1) }, (_, first) => {
    return meanConfidence(words.slice(first, first + runWords));
  });
  return runs.every((mean) => mean >= leastRunConfidence) && !words.some(isTooLong);
}

function isTooLong({ start, end }: Pick<Word, 'start' | 'end'>): boolean {
  return end - start > maxWordSeconds;
}

function mayHoldEnglish({ englishParts }: SpokenChunk): boolean {
  return !englishParts || englishParts.most > leastEnglishLogOdds;
}

/** False for silence and music, which have no language. */
function isSpoken({ words }: SpokenChunk): boolean {
  return words.length > 0;
}

function detected({ languages }: SpokenChunk): readonly string[] {
  const all = Object.entries(languages ?? {});
  return all
    .filter(([, probability]) => probability >= minDetectedProbability)
    .map(([code]) => code);
}
