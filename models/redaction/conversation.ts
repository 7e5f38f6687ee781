// The redaction of turns of one speaker that are told one by one: each is read behind the last
// words of those before it.
import type { Word } from '../asr/transcript.ts';
import type { Redaction } from '../contract/redaction.ts';
import { redactTurns, type RedactedTurns, type SpokenTurn } from './redact-turns.ts';

/** What is found in these turns behind all that was said before. */
export type RedactNext = (
  turns: readonly SpokenTurn[],
  redaction: Redaction,
  languageOf: (word: Word) => string,
) => RedactedTurns;

export interface ConversationTurn {
  /** Resolves once the turns before are redacted, or over. */
  readonly next: () => Promise<RedactNext>;
  /** The turns behind it no longer wait for it. */
  readonly over: () => void;
}

export interface Conversation {
  /** @param startSeconds where the turn begins in the conversation */
  open(startSeconds: number): ConversationTurn;
}

/** An announcement counts for 25 seconds, and a pause within a number has at most 20. */
const kept = { seconds: 60, words: 150 };

interface HeardWord {
  readonly word: Word;
  /** Of its turn in the conversation. */
  readonly startSeconds: number;
  readonly language: string;
}

export function createConversation(): Conversation {
  let heard: readonly HeardWord[] = [];
  let last = Promise.resolve();
  return {
    open(startSeconds) {
      const before = last;
      const { promise, resolve } = Promise.withResolvers<void>();
      last = promise;
      const redact: RedactNext = (turns, redaction, languageOf) => {
        const known = heard.filter((each) => endOf(each) >= startSeconds - kept.seconds);
        const languages = new Map<Word, string>();
        const past = known.map((each) => {
          const seconds = each.startSeconds - startSeconds;
          const { start, end } = each.word;
          const word = { ...each.word, start: start + seconds, end: end + seconds };
          languages.set(word, each.language);
          return word;
        });
        const own = turns.flatMap(({ words }) => words);
        const next = own.map((word) => ({ word, startSeconds, language: languageOf(word) }));
        heard = [...known, ...next].slice(-kept.words);
        resolve();
        const { words, removed } = redactTurns(
          [{ words: past, speaker: turns[0]?.speaker ?? null }, ...turns],
          redaction,
          (word) => languages.get(word) ?? languageOf(word),
          { isOpen: true },
        );
        return { words: words.slice(1), removed: removed.filter(({ end }) => end > 0) };
      };
      return {
        next: async () => before.then(() => redact),
        over: () => void before.then(resolve),
      };
    },
  };
}

function endOf({ word, startSeconds }: HeardWord): number {
  return startSeconds + word.end;
}
