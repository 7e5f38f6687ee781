// A transcript without what was found in it.
import type { Word } from '../asr/transcript.ts';
import type { Redaction, RemovedSpeech } from '../contract/redaction.ts';
import { findSensitive, type SearchOptions } from './find-sensitive.ts';
import type { SpokenWord } from './kinds.ts';

export interface SpokenTurn {
  readonly words: readonly Word[];
  readonly speaker: number | null;
}

export interface RedactedTurns {
  /** The words of each turn; each finding is one word, such as `[CARD]`, with its times. */
  readonly words: readonly (readonly Word[])[];
  readonly removed: readonly RemovedSpeech[];
}

/** @param languageOf ISO 639-1 code of a word */
export function redactTurns(
  turns: readonly SpokenTurn[],
  redaction: Redaction,
  languageOf: (word: Word) => string,
  options: SearchOptions = {},
): RedactedTurns {
  const spoken = turns
    .flatMap(({ words, speaker }, turn) =>
      words.map((word, index) => ({ word, speaker, turn, index })),
    )
    .toSorted((a, b) => a.word.start - b.word.start);
  const words: SpokenWord[] = spoken.map(({ word, speaker }) => ({
    word: word.word,
    start: word.start,
    end: word.end,
    speaker,
    language: languageOf(word),
  }));
  const kept: (Word | null)[][] = turns.map((turn) => [...turn.words]);
  const removed: RemovedSpeech[] = [];
  for (const { kind, words: indexes } of findSensitive(words, redaction, options)) {
    // Somebody who pauses within a number says it in several segments.
    const byTurn = Map.groupBy(indexes, (index) => spoken[index]!.turn);
    for (const [turn, own] of byTurn) {
      const places = own.map((index) => spoken[index]!);
      const [first, last] = [places[0]!, places.at(-1)!];
      const [start, end] = [first.word.start, last.word.end];
      const ending = /(?<![.,?!;:])[.,?!;:]*$/.exec(last.word.word)![0];
      for (const { index } of places) kept[turn]![index] = null;
      const word = `[${kind.toUpperCase()}]${ending}`;
      kept[turn]![first.index] = { word, start, end, confidence: first.word.confidence };
      removed.push({ kind, start, end, speaker: first.speaker });
    }
  }
  return {
    words: kept.map((all) => all.filter((word) => word !== null)),
    removed: removed.toSorted((a, b) => a.start - b.start),
  };
}
