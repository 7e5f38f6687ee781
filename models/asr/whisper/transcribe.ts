// One chunk to written text: language, attempts from the cheapest to the boldest, then the checks.
import type { LanguageProbabilities } from '../transcript.ts';
import { isDoubtful, isSilence, type WrittenTokens } from './acceptance.ts';
import type { DecoderRun, WhisperDecoder } from './decoder.ts';
import type { WhisperEncoding } from './encoder.ts';
import { languageProbabilities, type LanguageChoice } from './language-choice.ts';
import { chooseToken, probabilityOf, seededRandom } from './sampling.ts';
import type { DecodedToken } from '../vocab.ts';
import type { WhisperVocabulary } from './vocabulary.ts';

/** What the tokens of a bundle mean. */
export interface WhisperTokens {
  readonly startOfTranscript: number;
  readonly endOfText: number;
  readonly transcribe: number;
  readonly noTimestamps: number;
  readonly noSpeech: number;
  /** By language code; only these are detected. */
  readonly languages: Readonly<Record<string, number>>;
  /** Never written. */
  readonly suppressed: readonly number[];
  /** Never written first. */
  readonly suppressedFirst: readonly number[];
}

export interface TranscribeInput {
  readonly decoder: WhisperDecoder;
  readonly vocabulary: WhisperVocabulary;
  readonly tokens: WhisperTokens;
  /** Encodes the clip: cut to its length, or as the full 30 s that the model was trained on. */
  readonly encode: (extent: 'clip' | 'full') => Promise<WhisperEncoding>;
  readonly durationSeconds: number;
  readonly language: LanguageChoice;
}

/** What was written of a chunk; '' when nobody speaks. */
export interface TranscribedChunk {
  readonly text: string;
  /** null where the choice settled on none: nothing is written then. */
  readonly language: string | null;
  readonly languages: LanguageProbabilities;
}

/** After the likeliest tokens of the clip and of the full window, Whisper's own temperatures. */
const attempts = [
  { extent: 'clip', temperature: 0 },
  { extent: 'full', temperature: 0 },
  ...[0.2, 0.4, 0.6, 0.8, 1].map((temperature) => ({ extent: 'full', temperature }) as const),
] as const;
/** Nobody says more: characters outside Latin script take two or three tokens each. */
const maxTokensPerSecond = 20;
/** The decoder has 448 positions, four of which the prompt takes. */
const maxTokens = 440;
/** Below this, what all attempts wrote is not believed. */
const leastMeanLogProbability = -1.6;
const seed = 20_261_121;

export async function transcribe(input: TranscribeInput): Promise<TranscribedChunk> {
  const random = seededRandom(seed);
  let prompted: Prompted | null = null;
  let best: WrittenTokens | null = null;
  for (const { extent, temperature } of attempts) {
    if (prompted?.extent !== extent) prompted = await readPrompt(input, extent);
    if (!prompted.firstLogits) return answer(prompted, '');
    const written = await write(input, prompted, { temperature, random });
    if (isSilence(written)) return answer(prompted, '');
    if (!isDoubtful(written)) return answer(prompted, written.text);
    if (written.ended && written.meanLogProbability > (best?.meanLogProbability ?? -Infinity)) {
      best = written;
    }
  }
  const believed = best && best.meanLogProbability >= leastMeanLogProbability;
  return answer(prompted!, believed ? best!.text : '');
}

function answer({ language, languages }: Prompted, text: string): TranscribedChunk {
  return { text, language, languages };
}

interface Prompted extends Omit<TranscribedChunk, 'text'> {
  readonly extent: 'clip' | 'full';
  readonly run: DecoderRun;
  /** null without a language. */
  readonly firstLogits: Float32Array | null;
  readonly noSpeech: number;
}

async function readPrompt(
  { decoder, tokens, encode, language: choice }: TranscribeInput,
  extent: 'clip' | 'full',
): Promise<Prompted> {
  const run = decoder.start(await encode(extent));
  const logits = await run.read([tokens.startOfTranscript]);
  const noSpeech = probabilityOf(logits, tokens.noSpeech);
  const languages = languageProbabilities(logits, tokens.languages);
  const language = typeof choice === 'string' ? choice : choice(languages);
  if (language === null) return { extent, run, firstLogits: null, noSpeech, language, languages };
  const languageToken = tokens.languages[language];
  if (languageToken === undefined) throw new RangeError(`the model has no language ${language}`);
  const firstLogits = await run.read([languageToken, tokens.transcribe, tokens.noTimestamps]);
  return { extent, run, firstLogits, noSpeech, language, languages };
}

async function write(
  { tokens, vocabulary, durationSeconds }: TranscribeInput,
  { run: prompted, firstLogits, noSpeech }: Prompted,
  { temperature, random }: { readonly temperature: number; readonly random: () => number },
): Promise<WrittenTokens> {
  const run = prompted.fork();
  const limit = Math.min(maxTokens, Math.ceil(durationSeconds * maxTokensPerSecond) + 10);
  const chosen: DecodedToken[] = [];
  let logits: Float32Array = firstLogits!.slice();
  for (const token of tokens.suppressedFirst) logits[token] = -Infinity;
  let ended = false;
  while (chosen.length < limit) {
    suppress(logits, tokens);
    const next = chooseToken(logits, temperature, random);
    chosen.push(next);
    ended = next.id === tokens.endOfText;
    if (ended) break;
    logits = await run.read([next.id]);
  }
  const sum = chosen.reduce((total, token) => total + token.logProbability, 0);
  return {
    tokens: chosen,
    ended,
    noSpeech,
    text: vocabulary.text(chosen.map(({ id }) => id)),
    meanLogProbability: sum / Math.max(1, chosen.length),
  };
}

/** Everything past the end token marks languages, tasks and times. */
function suppress(logits: Float32Array, { suppressed, endOfText }: WhisperTokens): void {
  for (const token of suppressed) logits[token] = -Infinity;
  logits.fill(-Infinity, endOfText + 1);
}
