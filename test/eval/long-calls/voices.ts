// Who speaks in the long calls, and what: telephone prompts of five languages, narrow and wide
// band, German actors, and Mandarin readers of English. Each has a half that nothing is chosen on.
import { existsSync, readdirSync } from 'node:fs';
import { dataPath, readersTable, telephonePrompts } from '../speech-data.ts';
import type { PromptLanguage, Utterance } from '../speech-data.ts';

export type SpokenLanguage = PromptLanguage | 'de';
export type Band = 'telephone' | 'wide';

export interface VoiceOptions {
  readonly band: Band;
  /** The half of the utterances that nothing is chosen on. */
  readonly last: boolean;
}

const minWords = 4;
/** What the actors say, by the second to fourth character after the speaker (EmoDB). */
const actedSentences: Readonly<Record<string, string>> = {
  a01: 'Der Lappen liegt auf dem Eisschrank.',
  a02: 'Das will sie am Mittwoch abgeben.',
  a04: 'Heute Abend könnte ich es ihm sagen.',
  a05: 'Das schwarze Stück Papier befindet sich da oben neben dem Holzstück.',
  a07: 'In sieben Stunden wird es soweit sein.',
  b01: 'Was sind denn das für Tüten, die da unter dem Tisch stehen?',
  b02: 'Sie haben es gerade hochgetragen und jetzt gehen sie wieder runter.',
  b03: 'An den Wochenenden bin ich jetzt immer nach Hause gefahren und habe Agnes besucht.',
  b09: 'Ich will das eben wegbringen und dann mit Karl was trinken gehen.',
  b10: 'Die wird auf dem Platz sein, wo wir sie immer hinlegen.',
};

/** Utterances of one voice, or of several voices of the same language. */
export async function utterancesOf(
  language: SpokenLanguage,
  { band, last }: VoiceOptions,
): Promise<readonly Utterance[]> {
  if (language === 'de') return half(actedUtterances(), last);
  const prompts = (await telephonePrompts(language)).filter(isSentence);
  return half(prompts, last).map((each) => (band === 'wide' ? inWideBand(each) : each));
}

/** English by readers whose first language is Mandarin. */
export async function readersOfEnglish(last: boolean): Promise<readonly Utterance[]> {
  const all = [...(await readersTable('text'))].map(([id, text]) => {
    return { path: dataPath('l2-english', 'audio', `${id}.opus`), text };
  });
  return half(all.filter(isSentence), last);
}

function isSentence({ text }: Utterance): boolean {
  return text.split(/\s+/).length >= minWords && !/\d/.test(text);
}

function half(all: readonly Utterance[], last: boolean): readonly Utterance[] {
  return all.filter((_, i) => (i % 2 === 1) === last);
}

function inWideBand({ path, text }: Utterance): Utterance {
  const wide = path.replace(/\.wav$/, '.g722');
  return { path: existsSync(wide) ? wide : path, text };
}

/** Cut at 2 s: the last words of the longer sentences are missing. */
function actedUtterances(): readonly Utterance[] {
  const folder = dataPath('emodb');
  const names = existsSync(folder) ? readdirSync(folder).toSorted() : [];
  return names.flatMap((name) => {
    const text = actedSentences[name.slice(2, 5)];
    return text ? [{ path: dataPath('emodb', name), text }] : [];
  });
}
