// What a long call's words are worth: errors by language, words in the wrong language, turns left
// out, words where nothing is said, and phrases that are written twice; pure.
import { normaliseWords } from '../../metrics/text-normalisation.ts';
import { countWordErrors, type WordErrors } from '../../metrics/wer.ts';
import type { LongCall, Said } from './build-call.ts';

export interface FoundWord {
  readonly word: string;
  readonly start: number;
  readonly end: number;
  /** In which it was recognised. */
  readonly language: string;
}

export interface LanguageFigures {
  readonly errors: readonly WordErrors[];
  readonly words: number;
  /** Words that were recognised in another language. */
  readonly wrongLanguage: number;
  readonly utterances: number;
  /** Utterances with no word in the right language. */
  readonly lost: number;
  /** The same, if the utterance has a neighbour in another language. */
  readonly changes: number;
  readonly lostAtChange: number;
}

export interface CallFigures {
  readonly byLanguage: ReadonlyMap<string, LanguageFigures>;
  /** Words farther than half a second from everything that is said, and those in music. */
  readonly outside: number;
  readonly inMusic: number;
  /** Words of phrases that follow themselves, beyond those that are said so. */
  readonly doubled: number;
}

const toleranceSeconds = 0.5;
/** Utterances in one language whose words are compared together. */
const maxGroup = 40;

export function measureCall(call: Omit<LongCall, 'pcm'>, words: readonly FoundWord[]): CallFigures {
  const owners = words.map((word) => nearest(call.said, middleOf(word)));
  const byLanguage = new Map(
    [...new Set(call.said.map(({ language }) => language))].map((language) => [
      language,
      figuresOf(language, call.said, { words, owners }),
    ]),
  );
  const isInMusic = (at: number): boolean => {
    return call.music.some(({ start, end }) => at > start + toleranceSeconds && at < end);
  };
  return {
    byLanguage,
    outside: words.filter((word, i) => {
      return distance(call.said[owners[i]!]!, middleOf(word)) > toleranceSeconds;
    }).length,
    inMusic: words.filter((word) => isInMusic(middleOf(word))).length,
    doubled: Math.max(
      0,
      doubledWords(words.flatMap(({ word, language }) => normaliseWords(word, language))) -
        doubledWords(call.said.flatMap(({ text, language }) => normaliseWords(text, language))),
    ),
  };
}

interface Owned {
  readonly words: readonly FoundWord[];
  /** Index of what is said, by word. */
  readonly owners: readonly number[];
}

function figuresOf(language: string, said: readonly Said[], found: Owned): LanguageFigures {
  const own = said.flatMap((each, i) => (each.language === language ? [i] : []));
  const wordsOf = Map.groupBy(found.words, (_, i) => found.owners[i]!);
  const isLost = (i: number): boolean => {
    return !(wordsOf.get(i) ?? []).some((word) => word.language === language);
  };
  const isAtChange = (i: number): boolean => {
    return [said[i - 1], said[i + 1]].some((other) => other && other.language !== language);
  };
  const errors = groupsOf(own).map((group) => {
    const reference = group.flatMap((i) => normaliseWords(said[i]!.text, language));
    const hypothesis = group.flatMap((i) => textOf(wordsOf.get(i) ?? []));
    return countWordErrors(reference, hypothesis);
  });
  const spoken = own.flatMap((i) => wordsOf.get(i) ?? []);
  const atChange = own.filter(isAtChange);
  return {
    ...{ errors, words: spoken.length, utterances: own.length },
    wrongLanguage: spoken.filter((word) => word.language !== language).length,
    lost: own.filter(isLost).length,
    changes: atChange.length,
    lostAtChange: atChange.filter(isLost).length,
  };
}

function textOf(words: readonly FoundWord[]): readonly string[] {
  return words.flatMap(({ word, language }) => normaliseWords(word, language));
}

/** Neighbours together, so that a word a little before or after its time is no error. */
function groupsOf(indices: readonly number[]): readonly (readonly number[])[] {
  const groups: number[][] = [];
  for (const i of indices) {
    const last = groups.at(-1);
    if (last && last.at(-1) === i - 1 && last.length < maxGroup) last.push(i);
    else groups.push([i]);
  }
  return groups;
}

function middleOf({ start, end }: FoundWord): number {
  return (start + end) / 2;
}

function nearest(said: readonly Said[], at: number): number {
  let [low, high] = [0, said.length - 1];
  while (low < high) {
    const half = Math.floor((low + high) / 2);
    if (said[half]!.end < at) low = half + 1;
    else high = half;
  }
  const before = said[low - 1];
  return before && distance(before, at) < distance(said[low]!, at) ? low - 1 : low;
}

function distance({ start, end }: Said, at: number): number {
  return Math.max(0, start - at, at - end);
}

const [minPhrase, maxPhrase] = [1, 12];

/** Words of phrases that are the phrase before them; one word alone counts at the third time. */
function doubledWords(words: readonly string[]): number {
  let doubled = 0;
  for (let length = minPhrase; length <= maxPhrase; length += 1) {
    for (let i = length; i + length <= words.length; i += 1) {
      const isSame = (from: number): boolean => {
        return Array.from({ length }, (_, k) => words[from + k] === words[i + k]).every(Boolean);
      };
      if (!isSame(i - length)) continue;
      if (length === 1 && (i < 2 || words[i - 2] !== words[i])) continue;
      doubled += length;
      i += length - 1;
    }
  }
  return doubled;
}
