// The messages of the live subprotocols beside the documented ones: docs/streams/live.md; pure.
import type { LiveUpdate } from '../../models/analysis/live/live-recognition.ts';
import { continuationIn, type Continuation } from '../../models/analysis/live/live-transcript.ts';
import type { Word } from '../../models/asr/transcript.ts';
import { rounded } from '../results/result-fields.ts';

/** What follows a recording while it arrives. */
export interface LiveListener {
  /** @returns whether its client was told words of it */
  readonly onUpdate: (update: LiveUpdate) => boolean;
  /** Called once before the result, with all stable words. */
  readonly onFinal: (final: FinalWords) => void;
}

export interface FinalWords extends Continuation {
  /** The final text takes back at least one stable word. */
  readonly isRevised: boolean;
}

export function finalWords(finalText: string, stable: readonly Word[]): FinalWords {
  const continuation = continuationIn(finalText, stable);
  return { ...continuation, isRevised: continuation.keptWords < stable.length };
}

/** The listener that tells the client of a live subprotocol. */
export function interimMessages(send: (message: object) => void): LiveListener {
  return {
    onUpdate(update) {
      send(interimMessage(update));
      return update.stable.length + update.tail.length > 0;
    },
    onFinal: ({ isRevised, keptWords }) => {
      if (isRevised) send({ type: 'revised', kept_words: keptWords });
    },
  };
}

export interface ToldText {
  /** null without interim text. */
  readonly listener: LiveListener | null;
  /** Whole seconds up to the last words; 0 without. */
  readonly seconds: () => number;
}

/** Notes how much of a recording the client has been told the words of (docs/adr/0084). */
export function createToldText(live: LiveListener | null): ToldText {
  let audioSeconds = 0;
  const listenerOf = (heard: LiveListener): LiveListener => ({
    ...heard,
    onUpdate(update) {
      const isTold = heard.onUpdate(update);
      if (isTold) ({ audioSeconds } = update);
      return isTold;
    },
  });
  return {
    listener: live && listenerOf(live),
    seconds: () => Math.ceil(audioSeconds),
  };
}

function interimMessage({ stable, tail, audioSeconds }: LiveUpdate): object {
  return {
    type: 'interim',
    stable: stable.map(toWord),
    tail: tail.map(toWord),
    audio_seconds: rounded(audioSeconds, 3),
  };
}

/** Times in seconds with three decimals. */
function toWord({ word, start, end }: Word): object {
  return { word, start: rounded(start, 3), end: rounded(end, 3) };
}
