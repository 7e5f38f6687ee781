// Words of chunks, each in its language: Moonshine writes down what is or may be English, Whisper
// listens to what is not.
import { timeAttendedWords } from '../alignment/attended-words.ts';
import { timeWords } from '../alignment/word-aligner.ts';
import {
  decideLanguage,
  englishOdds,
  englishOddsOfSound,
  isSurelyEnglish,
  isSurelyOther,
} from '../asr/language-decision.ts';
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

interface SoundingChunk {
  readonly chunk: HeardChunk;
  readonly encoded: EncodedSpeech;
  /** Log-odds of being English, from its sound alone. */
  readonly sound: number;
}

/** As Moonshine spells a chunk, whether or not it is English. */
interface EnglishDraft extends SoundingChunk {
  readonly spelled: readonly SpelledWord[];
  /** The same from its words too. */
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
  const recognised = new Map<HeardChunk, Recognised>();
  const sounding = chunks.flatMap((chunk) => soundOf(models, chunk));
  const spelled = await spell(
    models,
    sounding.filter((each) => !soundsOther(models, each)),
  );
  for (const draft of spelled) {
    if (isSettled(models, draft)) recognised.set(draft.chunk, await inEnglish(models, draft));
  }
  const others = chunks.filter((chunk) => chunk.request.words && !recognised.has(chunk));
  const heard = await byWhisper(models, others);
  const drafts = new Map(spelled.map((draft) => [draft.chunk, draft]));
  for (const [i, chunk] of others.entries()) {
    const { language, languages, words } = heard[i]!;
    const sound = sounding.find((each) => each.chunk === chunk);
    const known = drafts.get(chunk);
    const isEnglish = language === null && sound !== undefined;
    const [draft = known] = isEnglish && !known ? await spell(models, [sound]) : [];
    const english = draft?.odds ?? (sound ? englishOddsOfSound(sound.sound) : null);
    const own = isEnglish && draft ? await inEnglish(models, draft) : { words, language, english };
    recognised.set(chunk, { ...own, languages });
  }
  return recognised;
}

/** [] where Moonshine has nothing to do with the chunk. */
function soundOf({ englishHead }: LoadedModels, chunk: HeardChunk): readonly SoundingChunk[] {
  const { encoded, request } = chunk;
  if (!mayBeEnglish(request) || !encoded) return [];
  return [{ chunk, encoded, sound: englishHead.odds(encoded) }];
}

/** Whisper decides by itself: what Moonshine would write is not worth its time. */
function soundsOther({ transcriber }: LoadedModels, { chunk, sound }: SoundingChunk): boolean {
  const { language, prior = {} } = chunk.request;
  return language === null && transcriber !== null && isSurelyOther(sound, prior);
}

/** Written down by Moonshine, together. */
async function spell(
  { encoder, recognizer }: LoadedModels,
  chunks: readonly SoundingChunk[],
): Promise<readonly EnglishDraft[]> {
  if (chunks.length === 0) return [];
  const states: EncodedSpeech[] = [];
  for (const { chunk, encoded } of chunks) {
    const isShared = recognizer.encoder === encoder;
    states.push(isShared ? encoded : await recognizer.encoder.encode(chunk.pcm));
  }
  const spelled = await recognizer.decoder.decode(states);
  return chunks.map((each, i) => {
    const own = spelled[i]!;
    return { ...each, spelled: own, odds: englishOdds(each.sound, own) };
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
