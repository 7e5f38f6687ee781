// The terms of a request in a text of Whisper's: hypotheses are read by the same decoder.
import { forceTokens } from '../forced-decoding.ts';
import { preferTerms, sumOfLogarithms } from '../terms/prefer-terms.ts';
import {
  promptOf,
  writtenBy,
  type AttendedTokens,
  type Step,
  type WhisperModel,
} from './attempt.ts';
import { rowsOfChunk } from './decoder.ts';
import type { WhisperEncoding } from './encoder.ts';

export interface TranscribedText {
  readonly encoding: WhisperEncoding;
  readonly language: string;
  readonly written: AttendedTokens;
}

export interface PreferOptions {
  /** Words and phrases as they are to be written; [] for none. */
  readonly terms: readonly string[];
  /** Returns the attention too, from which word times are computed. */
  readonly attention: boolean;
  /** Texts that are read at once. */
  readonly maxRows: number;
}

/** The text with its terms where they are as likely; without such a place it is what it was. */
export async function withTerms(
  model: WhisperModel,
  transcribed: TranscribedText,
  { terms, attention, maxRows }: PreferOptions,
): Promise<AttendedTokens> {
  const { written } = transcribed;
  // A text without its end was cut off, and has no probability as a whole.
  if (terms.length === 0 || !written.ended) return written;
  const decoded = { tokens: written.tokens.slice(0, -1), terms };
  const text = await preferTerms(decoded, model.vocabulary, async (texts) => {
    const scores: number[] = [];
    for (let at = 0; at < texts.length; at += maxRows) {
      const read = await readTexts(model, transcribed, texts.slice(at, at + maxRows), false);
      scores.push(...read.map((steps) => sumOfLogarithms(steps.map(({ token }) => token))));
    }
    return scores;
  });
  if (text === null) return written;
  const [steps] = await readTexts(model, transcribed, [text], attention);
  return { ...written, ...writtenBy(steps!, model.vocabulary) };
}

/** The steps of texts and of their ends. */
async function readTexts(
  { decoder, tokens }: WhisperModel,
  { encoding, language }: TranscribedText,
  texts: readonly (readonly number[])[],
  attention: boolean,
): Promise<readonly (readonly Step[])[]> {
  const batch = rowsOfChunk(decoder, encoding, texts.length);
  const rows = batch.open();
  const prompt = [tokens.startOfTranscript, ...promptOf(language, tokens)];
  const options = { forbidden: tokens.forbidden, logits: true, attention };
  const forced = await forceTokens(
    (last) => rows.read(last?.map((token) => [token]) ?? texts.map(() => prompt), options),
    texts.map((text) => [...text, tokens.endOfText]),
    (read) => read.attention,
  ).finally(() => {
    rows.close();
    batch.close();
  });
  return forced.map((own) => own.map(({ token, step }) => ({ token, attention: step })));
}
