// Words of chunks, each in its language: Moonshine recognises chunks that are or may be English,
// Whisper all others.
import { timeAttendedWords } from '../alignment/attention-alignment.ts';
import { timeWords } from '../alignment/word-aligner.ts';
import {
  decideLanguage,
  englishLogOdds,
  englishLogOddsOfSound,
  isClearlyEnglish,
  isClearlyNotEnglish,
} from '../asr/language-decision.ts';
import type { EnglishHead } from '../asr/english-head.ts';
import type { EncodedSpeech } from '../asr/moonshine-encoder.ts';
import type { WrittenText } from '../asr/transcript.ts';
import type { SpelledWord } from '../asr/vocab.ts';
import { likeliestLanguage } from '../asr/whisper/language-detection.ts';
import type { WhisperRecognizer } from '../asr/whisper/recognizer.ts';
import type { ChunkAnalysis, ChunkRequest } from './jobs.ts';
import type { LoadedModels } from './loaded-models.ts';

/** A chunk whose words are to be recognised. */
export interface ChunkToRecognise {
  readonly request: ChunkRequest;
  readonly pcm: Float32Array;
  /** Moonshine's encoder output; null where the chunk cannot be English. */
  readonly encoded: EncodedSpeech | null;
}

export type Recognised = Pick<ChunkAnalysis, 'words' | 'language' | 'languages' | 'english'>;

interface EnglishCandidate {
  readonly chunk: ChunkToRecognise;
  readonly encoded: EncodedSpeech;
  /** Log-odds of English, from the encoder's output alone. */
  readonly soundLogOdds: number;
}

/** A candidate as Moonshine recognises it, whether or not it is English. */
interface EnglishDraft extends EnglishCandidate {
  readonly spelled: readonly SpelledWord[];
  /** Log-odds of English, from the encoder's output and the words. */
  readonly logOdds: number;
}

/** True if Moonshine has to encode the chunk. */
export function mayBeEnglish({ words, language }: ChunkRequest): boolean {
  return words && (language === 'en' || language === null);
}

/** @returns an entry for each chunk whose request asks for words */
export async function recogniseChunks(
  models: LoadedModels,
  chunks: readonly ChunkToRecognise[],
): Promise<ReadonlyMap<ChunkToRecognise, Recognised>> {
  const recognised = new Map<ChunkToRecognise, Recognised>();
  const { englishHead } = models.recognizer;
  const candidates = chunks.flatMap((chunk) => candidateOf(englishHead, chunk));
  const drafts = await spell(
    models,
    candidates.filter((each) => !skipsMoonshine(models, each)),
  );
  for (const draft of drafts) {
    if (isAccepted(models, draft)) recognised.set(draft.chunk, await timeDraft(models, draft));
  }
  const others = chunks.filter((chunk) => chunk.request.words && !recognised.has(chunk));
  const byWhisper = await recogniseByWhisper(models, others);
  for (const [i, chunk] of others.entries()) {
    const { language, languages, words } = byWhisper[i]!;
    const candidate = candidates.find((each) => each.chunk === chunk);
    const known = drafts.find((each) => each.chunk === chunk);
    const isEnglish = language === null && candidate !== undefined;
    const [draft = known] = isEnglish && !known ? await spell(models, [candidate]) : [];
    const english =
      draft?.logOdds ??
      (candidate ? englishLogOddsOfSound(candidate.soundLogOdds, englishHead.odds) : null);
    const own = isEnglish && draft ? await timeDraft(models, draft) : { words, language, english };
    recognised.set(chunk, { ...own, languages });
  }
  return recognised;
}

/** [] for a chunk that cannot be English, or whose words are not requested. */
function candidateOf(
  englishHead: EnglishHead,
  chunk: ChunkToRecognise,
): readonly EnglishCandidate[] {
  const { encoded, request } = chunk;
  if (!mayBeEnglish(request) || !encoded) return [];
  return [{ chunk, encoded, soundLogOdds: englishHead.logOdds(encoded) }];
}

/** True if the chunk is so clearly not English that decoding it with Moonshine is wasted time. */
function skipsMoonshine(
  { transcriber, recognizer }: LoadedModels,
  { chunk, soundLogOdds }: EnglishCandidate,
): boolean {
  const { language, prior = {} } = chunk.request;
  const logOdds = englishLogOddsOfSound(soundLogOdds, recognizer.englishHead.odds);
  return language === null && transcriber !== null && isClearlyNotEnglish(logOdds, prior);
}

/** Decodes the candidates with Moonshine, in one batch. */
async function spell(
  { recognizer }: LoadedModels,
  chunks: readonly EnglishCandidate[],
): Promise<readonly EnglishDraft[]> {
  if (chunks.length === 0) return [];
  const { decoder, englishHead } = recognizer;
  const spelled = await decoder.decode(chunks.map(({ encoded }) => encoded));
  return chunks.map((each, i) => {
    const own = spelled[i]!;
    const logOdds = englishLogOdds(each.soundLogOdds, own, englishHead.odds);
    return { ...each, spelled: own, logOdds };
  });
}

/** True if a draft is final: without a model for other languages every chunk counts as English. */
function isAccepted({ transcriber }: LoadedModels, { chunk, logOdds }: EnglishDraft): boolean {
  const { language, prior = {} } = chunk.request;
  return language === 'en' || transcriber === null || isClearlyEnglish(logOdds, prior);
}

/** A chunk that Whisper detects as English has language null and no words. */
async function recogniseByWhisper(
  models: LoadedModels,
  chunks: readonly ChunkToRecognise[],
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
          ((detected) => {
            const decided = decideLanguage({ detected, prior });
            return decided === 'en' ? null : decided;
          }),
      };
    }),
    { words: true },
  );
  return recognised.map(({ language, languages, words: attended }, i) => {
    const words = attended ? timeAttendedWords(attended, chunks[i]!.pcm, confidence) : [];
    return { language, languages, words };
  });
}

/** The draft's words with their times. */
async function timeDraft(
  { recognizer: { phoneScorer, wordAligner } }: LoadedModels,
  { encoded, spelled, logOdds }: EnglishDraft,
): Promise<Recognised> {
  const words =
    spelled.length > 0 ? timeWords(spelled, await phoneScorer.score(encoded), wordAligner) : [];
  return { words, language: 'en', languages: null, english: logOdds };
}

/** The texts of the chunks whose requests ask for them, each in its likeliest language. */
export async function transcribeChunks(
  models: LoadedModels,
  chunks: readonly ChunkToRecognise[],
): Promise<ReadonlyMap<ChunkToRecognise, WrittenText>> {
  const requested = chunks.filter(({ request }) => request.text);
  if (requested.length === 0) return new Map();
  const recognised = await transcriberOf(models).recognise(
    requested.map(({ pcm }) => ({ samples: pcm, language: likeliestLanguage })),
    { words: false },
  );
  return new Map(
    requested.map((chunk, i) => {
      const { text, language } = recognised[i]!;
      return [chunk, { text, language: language! }];
    }),
  );
}

/** @throws when its weights are missing */
function transcriberOf({ transcriber }: LoadedModels): WhisperRecognizer {
  if (!transcriber) throw new Error('no model for text in several languages is loaded');
  return transcriber;
}
