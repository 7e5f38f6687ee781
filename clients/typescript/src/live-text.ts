// Interim text of a stream: what the messages between `ready` and the result add up to.

export interface LiveWord {
  readonly word: string;
  /** Seconds from the start of the recording. */
  readonly start: number;
  readonly end: number;
}

export interface LiveText {
  /** All words that do not change any more while audio arrives. */
  readonly stable: readonly LiveWord[];
  /** The words after them, which the next text replaces. */
  readonly tail: readonly LiveWord[];
}

/** Called whenever the text has changed; the result follows by itself. */
export type OnText = (text: LiveText) => void;

/** What only the subprotocols with interim text have, which are chosen by either. */
export interface LiveOptions {
  /** Asks for interim text, which costs nothing. */
  readonly onText?: OnText;
  /** Names and terms as they are written, which are preferred where they sound alike. */
  readonly vocabulary?: readonly string[];
}

/** The listener of a stream in the subprotocol with interim text; undefined in the plain one. */
export function listenerOf({ onText, vocabulary }: LiveOptions): OnText | undefined {
  return onText ?? (vocabulary && (() => {}));
}

interface LiveMessage {
  readonly type?: string;
  readonly [member: string]: unknown;
}

/** @returns a function that takes a message, and tells whether it was one of interim text */
export function createLiveReader(onText: OnText): (message: LiveMessage) => boolean {
  let stable: readonly LiveWord[] = [];
  return (message) => {
    if (message.type === 'interim') {
      stable = [...stable, ...(message['stable'] as readonly LiveWord[])];
      onText({ stable, tail: message['tail'] as readonly LiveWord[] });
      return true;
    }
    if (message.type !== 'revised') return false;
    stable = stable.slice(0, Number(message['kept_words']));
    onText({ stable, tail: [] });
    return true;
  };
}
