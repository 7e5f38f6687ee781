// Words of chunks, each in its language: Moonshine writes down what is or may be English, Whisper
// listens to what is not.
import { timeAttendedWords } from '../alignment/attended-words.ts';
import { timeWords } from '../alignment/word-aligner.ts';
import { decideLanguage, englishOdds, isSurelyEnglish } from '../asr/language-decision.ts';
import type { EncodedSpeech } from '../asr/moonshine-encoder.ts';
import type { SpelledWord } from '../asr/vocab.ts';
import type { WhisperRecognizer } from '../asr/whisper/recognizer.ts';
import type { ChunkAnalysis, ChunkRequest } from './jobs.ts';
import type { LoadedModels } from './loaded-models.ts';

/** A chunk that waits for its words. */
export interface HeardChunk {
  readonly request: ChunkRequest;
  readonly pcm: Float32Array;
  /** null where nothing reads it: other languages have an encoder of their own. */
  readonly encoded: EncodedSpeech | null;
}

export type Recognised = Pick<ChunkAnalysis, 'words' | 'language' | 'languages' | 'english'>;

/** As Moonshine spells a chunk, whether or not it is English. */
interface EnglishDraft {
  readonly chunk: HeardChunk;
  readonly encoded: EncodedSpeech;
  readonly spelled: readonly SpelledWord[];
  /** Log-odds of being English. */
  readonly odds: number;
}

/** True where Moonshine has to listen. */
export function mayBeEnglish({ words, language }: ChunkRequest): boolean {
  return words && (language === 'en' || language === null);
}

/** Chunks that no words are asked of have none. */
export async function recogniseChunks(
  models: LoadedModels,
  chunks: readonly HeardChunk[],
): Promise<ReadonlyMap<HeardChunk, Recognised>> {
  const drafts = await byMoonshine(models, chunks);
  const settled = drafts.filter((draft) => isSettled(models, draft));
  const recognised = new Map<HeardChunk, Recognised>();
  for (const draft of settled) recognised.set(draft.chunk, await inEnglish(models, draft));
  const doubtful = new Map(
    drafts.filter((draft) => !settled.includes(draft)).map((draft) => [draft.chunk, draft]),
  );
  const others = chunks.filter(
    (chunk) => chunk.request.words && (doubtful.has(chunk) || !mayBeEnglish(chunk.request)),
  );
  for (const [i, heard] of (await byWhisper(models, others)).entries()) {
    const chunk = others[i]!;
    const draft = doubtful.get(chunk);
    const own = { ...heard, english: draft?.odds ?? null };
    const isEnglish = heard.language === null && draft !== undefined;
    const english = isEnglish ? await inEnglish(models, draft) : own;
    recognised.set(chunk, { ...english, languages: heard.languages });
  }
  return recognised;
}

/** Chunks that are or may be English, decoded together. */
async function byMoonshine(
  { decoder }: LoadedModels,
  chunks: readonly HeardChunk[],
): Promise<readonly EnglishDraft[]> {
  const heard = chunks.flatMap((chunk) =>
    mayBeEnglish(chunk.request) && chunk.encoded ? [{ chunk, encoded: chunk.encoded }] : [],
  );
  if (heard.length === 0) return [];
  const spelled = await decoder.decode(heard.map(({ encoded }) => encoded));
  return heard.map((each, i) => {
    const own = spelled[i]!;
    return { ...each, spelled: own, odds: englishOdds(own) };
  });
}

/** Without a model for other languages everything is English. */
function isSettled({ transcriber }: LoadedModels, { chunk, odds }: EnglishDraft): boolean {
  const { language, prior = {} } = chunk.request;
  return language === 'en' || transcriber === null || isSurelyEnglish(odds, prior);
}

/** Nothing is written where it turns out to be English after all. */
async function byWhisper(
  models: LoadedModels,
  chunks: readonly HeardChunk[],
): Promise<readonly Omit<Recognised, 'english'>[]> {
  if (chunks.length === 0) return [];
  const { confidence, ...transcriber } = transcriberOf(models);
  const recognised = await transcriber.recognise(
    chunks.map((chunk) => {
      const { language, prior = {} } = chunk.request;
      return {
        samples: chunk.pcm,
        language:
          language ??
          ((heard) => {
            const decided = decideLanguage({ heard, prior });
            return decided === 'en' ? null : decided;
          }),
      };
    }),
  );
  return recognised.map(({ words, ...heard }, i) => {
    return { ...heard, words: words ? timeAttendedWords(words, chunks[i]!.pcm, confidence) : [] };
  });
}

async function inEnglish(
  { phoneScorer, wordAligner }: LoadedModels,
  { encoded, spelled, odds }: EnglishDraft,
): Promise<Recognised> {
  const words =
    spelled.length > 0 ? timeWords(spelled, await phoneScorer.score(encoded), wordAligner) : [];
  return { words, language: 'en', languages: null, english: odds };
}

/** @throws where its weights are absent */
export function transcriberOf({ transcriber }: LoadedModels): WhisperRecognizer {
  if (!transcriber) throw new Error('no model for text in several languages is loaded');
  return transcriber;
}
