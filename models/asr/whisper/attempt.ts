// One attempt at decoding a batch of chunks: first the language token, then the text tokens.
import type { Tensor } from '../../onnx/session.ts';
import { decodeGreedily, type DecoderRows } from '../greedy.ts';
import type { LanguageProbabilities } from '../transcript.ts';
import type { DecodedToken } from '../spelled-words.ts';
import type { TermVocabulary } from '../terms/prefer-terms.ts';
import { endsInLoop, type WrittenTokens } from './acceptance.ts';
import type { Attention, RowStep, WhisperBatch, WhisperDecoder, WhisperRows } from './decoder.ts';
import { languageProbabilities, type LanguageChoice } from './language-detection.ts';
import { chooseToken, probabilityOf } from './sampling.ts';
import type { WhisperVocabulary } from './tokens.ts';

/** The special tokens of a bundle. */
export interface WhisperTokens {
  readonly startOfTranscript: number;
  readonly endOfText: number;
  readonly transcribe: number;
  readonly noTimestamps: number;
  readonly noSpeech: number;
  /** By language code; only these are detected. None where the model knows English only. */
  readonly languages: Readonly<Record<string, number>>;
  /**
   * Added to the logits, [vocabulary]: tokens that are never generated, and never generated first.
   */
  readonly forbidden: Tensor;
  readonly forbiddenFirst: Tensor;
}

export interface WhisperModel {
  readonly decoder: WhisperDecoder;
  readonly vocabulary: WhisperVocabulary & TermVocabulary;
  readonly tokens: WhisperTokens;
}

export interface EncodedChunk {
  readonly durationSeconds: number;
  readonly language: LanguageChoice;
}

export interface AttemptOptions {
  /** 0 selects the likeliest tokens. */
  readonly temperature: number;
  /** Uniform in [0, 1); called above temperature 0 only. */
  readonly random: () => number;
  /** Returns the attention too, from which word times are computed. */
  readonly attention: boolean;
}

export interface ChunksToRead extends AttemptOptions {
  readonly chunks: readonly EncodedChunk[];
}

export interface Attempt {
  readonly language: string | null;
  readonly languages: LanguageProbabilities;
  /** null if no language was selected. */
  readonly written: AttendedTokens | null;
}

export interface AttendedTokens extends WrittenTokens {
  /** The attention at the selection of each token; empty unless requested. */
  readonly attention: readonly Attention[];
}

/** Upper bound for speech: characters outside the Latin script take two or three tokens each. */
const maxTokensPerSecond = 20;
/** The decoder has 448 positions, of which the prompt takes four. */
const maxTokens = 440;

/**
 * @param batch holds the encodings of the chunks, in order
 * @param chunks none of them affects the text of another
 */
export async function attempt(
  model: WhisperModel,
  batch: WhisperBatch,
  { chunks, ...options }: ChunksToRead,
): Promise<readonly Attempt[]> {
  const rows = batch.open();
  return readRows(model, rows, { chunks, ...options }).finally(() => rows.close());
}

async function readRows(
  { vocabulary, tokens }: WhisperModel,
  rows: WhisperRows,
  { chunks, ...options }: ChunksToRead,
): Promise<readonly Attempt[]> {
  const start = chunks.map(() => [tokens.startOfTranscript]);
  const started = await rows.read(start, { forbidden: tokens.forbidden, logits: true });
  const settled = started.map(({ logits }, i) => settle(logits, tokens, chunks[i]!.language));
  const active = settled.flatMap(({ language }, i) => (language === null ? [] : [i]));
  if (active.length === 0) return settled.map((own) => ({ ...own, written: null }));
  if (active.length < chunks.length) rows.keep(active);
  const prompts = active.map((i) => promptOf(settled[i]!.language!, tokens));
  const recorded = recordSteps(rows, { prompts, tokens, ...options });
  const decoded = await decodeGreedily(recorded, {
    startToken: tokens.noTimestamps,
    endToken: tokens.endOfText,
    isHopeless: endsInLoop,
    maxTokens: active.map((i) => {
      return Math.min(maxTokens, Math.ceil(chunks[i]!.durationSeconds * maxTokensPerSecond) + 10);
    }),
  });
  const written = new Map(
    active.map((chunk, row) => {
      const { ended, tokens: own } = decoded[row]!;
      const steps = recorded.steps[row]!.slice(0, own.length + (ended ? 1 : 0));
      const { noSpeech } = settled[chunk]!;
      return [chunk, { ...writtenBy(steps, vocabulary), ended, noSpeech }] as const;
    }),
  );
  return settled.map(({ language, languages }, i) => {
    return { language, languages, written: written.get(i) ?? null };
  });
}

/** What follows the token that starts a transcript. */
export function promptOf(language: string, tokens: WhisperTokens): readonly number[] {
  const { transcribe, noTimestamps } = tokens;
  return knowsEnglishOnly(tokens)
    ? [noTimestamps]
    : [tokens.languages[language]!, transcribe, noTimestamps];
}

export function knowsEnglishOnly({ languages }: WhisperTokens): boolean {
  return Object.keys(languages).length === 0;
}

interface Settled extends Omit<Attempt, 'written'> {
  readonly noSpeech: number;
}

/** @param logits after the token that starts a transcript */
function settle(logits: Float32Array, tokens: WhisperTokens, choice: LanguageChoice): Settled {
  const languages = knowsEnglishOnly(tokens)
    ? { en: 1 }
    : languageProbabilities(logits, tokens.languages);
  const language = typeof choice === 'string' ? choice : choice(languages);
  if (language !== null && languages[language] === undefined) {
    throw new RangeError(`the model has no language ${language}`);
  }
  return { language, languages, noSpeech: probabilityOf(logits, tokens.noSpeech) };
}

/** A token, with the attention at its selection. */
export interface Step {
  readonly token: DecodedToken;
  readonly attention: Attention;
}

interface RecordedRows extends DecoderRows {
  /** For each initial row, in order; values after a row's end are meaningless. */
  readonly steps: readonly (readonly Step[])[];
}

interface RecordOptions extends AttemptOptions {
  readonly prompts: readonly (readonly number[])[];
  readonly tokens: WhisperTokens;
}

/** The rows after their first step has read the prompt. */
function recordSteps(
  rows: WhisperRows,
  { prompts, tokens, temperature, random, attention }: RecordOptions,
): RecordedRows {
  const all = prompts.map((): Step[] => []);
  let active = all;
  const choose = ({ next, logits }: RowStep, forbidden: Tensor): DecodedToken => {
    if (temperature === 0) return next;
    const bias = forbidden.data as Float32Array;
    return chooseToken(
      logits.map((logit, i) => logit + bias[i]!),
      temperature,
      random,
    );
  };
  return {
    steps: all,
    async step(last) {
      const isFirst = all[0]!.length === 0;
      const forbidden = isFirst ? tokens.forbiddenFirst : tokens.forbidden;
      const read = await rows.read(isFirst ? prompts : last.map((token) => [token]), {
        ...{ forbidden, attention },
        logits: temperature > 0,
      });
      const steps = read.map((row) => ({
        ...{ token: choose(row, forbidden), attention: row.attention },
      }));
      active.forEach((own, i) => own.push(steps[i]!));
      return steps.map(({ token }) => token);
    },
    keep(kept) {
      rows.keep(kept);
      active = kept.map((row) => active[row]!);
    },
  };
}

export function writtenBy(
  steps: readonly Step[],
  vocabulary: WhisperVocabulary,
): Omit<AttendedTokens, 'ended' | 'noSpeech'> {
  const tokens = steps.map(({ token }) => token);
  const sum = tokens.reduce((total, token) => total + token.logProbability, 0);
  return {
    tokens,
    attention: steps.map((step) => step.attention),
    text: vocabulary.text(tokens.map(({ id }) => id)),
    meanLogProbability: sum / Math.max(1, tokens.length),
  };
}
