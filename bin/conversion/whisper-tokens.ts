// Whisper's vocabularies: which tokens the ids of each size are, and which are never generated.
import { byteCharacters } from '../../models/asr/whisper/tokens.ts';
import type { WhisperManifest } from '../../models/bundles/manifest.ts';
import { ConversionError } from './model-file.ts';

export interface WhisperTokens {
  readonly isMultilingual: boolean;
  readonly tokens: WhisperManifest['tokens'];
  /** Names of all ids, in the characters of GPT-2. */
  readonly lines: readonly string[];
}

/** Ids of text come first, then those of languages, of tasks, and of times every 20 ms. */
const sizes: ReadonlyMap<number, { readonly text: number; readonly languages: number }> = new Map([
  // English only; its languages are never used.
  [51_864, { text: 50_256, languages: 99 }],
  [51_865, { text: 50_257, languages: 99 }],
  // large-v3 has Cantonese, too.
  [51_866, { text: 50_257, languages: 100 }],
]);
/** " " in both vocabularies of GPT-2's kind. */
const blank = 220;
const lastTime = 1_500;

/**
 * @param text names of the ids that are text, in the characters of GPT-2
 * @throws ConversionError where they are not those of a model of this size
 */
export function whisperTokensOf(size: number, text: readonly string[]): WhisperTokens {
  const known = sizes.get(size);
  if (!known) {
    const allowed = [...sizes.keys()].join(', ');
    throw new ConversionError(`the model has ${size} tokens; known vocabularies have ${allowed}`);
  }
  if (text.length !== known.text || text[blank] !== 'Ġ') {
    throw new ConversionError(
      `the vocabulary is not that of the model: a model of ${size} tokens has ${known.text} of ` +
        `text, and a blank is token ${blank}; this one has ${text.length}, and token ${blank} ` +
        `is "${text[blank] ?? ''}"`,
    );
  }
  const startOfTranscript = known.text + 1;
  const translate = startOfTranscript + 1 + known.languages;
  const [transcribe, , , noSpeech, noTimestamps] = [1, 2, 3, 4, 5].map((i) => translate + i);
  const markers = Array.from({ length: size - known.text }, (_, i) => {
    const time = known.text + i - noTimestamps! - 1;
    return time < 0 || time > lastTime ? `<|${known.text + i}|>` : `<|${(time / 50).toFixed(2)}|>`;
  });
  return {
    isMultilingual: known.text > 50_256,
    tokens: {
      endOfText: known.text,
      startOfTranscript,
      ...{ transcribe: transcribe!, noSpeech: noSpeech!, noTimestamps: noTimestamps! },
    },
    lines: [...text, ...markers],
  };
}

/** Bytes of a token as the characters of GPT-2. */
export function pieceName(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => characterOf[byte]).join('');
}

const characterOf: readonly string[] = [...byteCharacters()]
  .toSorted(([, a], [, b]) => a - b)
  .map(([character]) => character);

/** Marks that are no speech, and may be written where there is none (openai/whisper, tokenizer). */
const marks = [
  ...Array.from('"#()*+/:;<=>@[\\]^_`{|}~「」『』'),
  ...'<< >> <<< >>> -- --- -( -[ (\' (" (( )) ((( ))) [[ ]] {{ }} ♪♪ ♪♪♪'.split(' '),
];
const notes = Array.from('♩♪♫♬♭♮♯');

/** Ids of the tokens that are marks or notes, or begin a note; ascending. */
export function nonSpeechTokens({ lines, tokens }: WhisperTokens): readonly number[] {
  const ids = new Map(lines.slice(0, tokens.endOfText).map((line, id) => [line, id]));
  const named = (text: string): string => pieceName(Buffer.from(text));
  const whole = [...marks, ...notes].flatMap((mark) => [mark, ` ${mark}`]).map(named);
  const first = notes
    .flatMap((note) => [note, ` ${note}`])
    .map((note) => {
      const name = named(note);
      const prefixes = Array.from({ length: name.length }, (_, i) =>
        name.slice(0, name.length - i),
      );
      return prefixes.find((prefix) => ids.has(prefix)) ?? '';
    });
  // A dash or an apostrophe begins a word; alone it does not.
  const found = [...whole, ...first, named(' -'), named(" '")].flatMap(
    (name) => ids.get(name) ?? [],
  );
  return [...new Set(found)].toSorted((a, b) => a - b);
}

/** What is never the first token: a blank, and the end. */
export function neverFirst({ tokens }: WhisperTokens): readonly number[] {
  return [blank, tokens.endOfText];
}
