// Words of chunks, each in its language: Moonshine recognises chunks that are or may be English,
// Whisper all others, and what is assigned to a model what it was assigned for.
import {
  decideLanguage,
  englishLogOdds,
  englishLogOddsOfSound,
  isClearlyEnglish,
  isClearlyNotEnglish,
  isDoubtfulEnglish,
  isNeverEnglish,
  replacesEnglish,
  type EnglishOdds,
} from '../asr/language-decision.ts';
import type { LanguageProbabilities } from '../asr/transcript.ts';
import type { SpelledWord } from '../asr/spelled-words.ts';
import { writesTexts } from '../contract/served-models.ts';
import {
  assignedTo,
  otherLanguagesOf,
  recogniseEach,
  required,
  type ChunkToRecognise,
  type Recognised,
  type Requesting,
} from './assigned-recognizers.ts';
import type { RecognisedText } from './chunk-recognizer.ts';
import { englishSound, type EnglishSound } from './english-sound.ts';
import { timeEnglish } from './english-words.ts';
import type { ChunkRequest } from './jobs.ts';
import type { LoadedModels } from './loaded-models.ts';
import { wordsByTranscriber } from './transcribe-chunks.ts';

interface EnglishCandidate extends EnglishSound {
  readonly chunk: ChunkToRecognise;
}

/** A candidate as Moonshine recognises it, whether or not it is English. */
interface EnglishDraft extends EnglishCandidate {
  readonly spelled: readonly SpelledWord[];
  /** Log-odds of English, from the encoder's output and the words. */
  readonly logOdds: number;
}

/** True if Moonshine has to encode the chunk. */
export function mayBeEnglish(models: LoadedModels, { request }: Requesting): boolean {
  const { words, language, unlikelyEnglish } = request;
  const isUnlikely = unlikelyEnglish && otherLanguagesOf(models, request) !== null;
  const isEnglish = language === 'en' && !isAssignedEnglish(models, request);
  return words && !writesTexts(request.model) && ((language === null && !isUnlikely) || isEnglish);
}

/** True if the chunk's language is fixed to English, and another recogniser is assigned for it. */
function isAssignedEnglish(models: LoadedModels, request: ChunkRequest): boolean {
  return request.language === 'en' && assignedTo(models, request).recognition !== undefined;
}

/** @returns an entry for each chunk whose request asks for words */
export async function recogniseChunks(
  models: LoadedModels,
  chunks: readonly ChunkToRecognise[],
): Promise<ReadonlyMap<ChunkToRecognise, Recognised>> {
  const { englishHead } = models.recognizer;
  const wanted = chunks.filter(({ request }) => request.words);
  const candidates = wanted.flatMap((chunk) => (chunk.sound ? [{ chunk, ...chunk.sound }] : []));
  const drafts = await spell(
    models,
    candidates.filter((each) => !skipsMoonshine(models, each)),
  );
  const fixed = wanted.filter(({ request }) => isAssignedEnglish(models, request));
  const accepted = Map.groupBy(
    drafts.filter((draft) => isAccepted(models, draft)),
    ({ chunk }) => chunk.request.detectionOnly ?? false,
  );
  const recognised = new Map([
    ...(accepted.get(true) ?? []).map(({ chunk, logOdds }): [ChunkToRecognise, Recognised] => {
      return [chunk, { words: [], language: 'en', languages: null, english: logOdds }];
    }),
    ...(await inTheirLanguage(models, await recogniseEnglish(models, accepted.get(false) ?? []))),
    ...(await recogniseAssignedEnglish(models, fixed)),
    ...(await wordsByTranscriber(models, wanted)),
  ]);
  const others = wanted.filter((chunk) => !recognised.has(chunk));
  const foreign = await recogniseOthers(models, others);
  const late = others.filter((chunk) => {
    return foreign.get(chunk)?.language === null && !chunk.request.detectionOnly;
  });
  const known = new Map(drafts.map((draft) => [draft.chunk, draft]));
  const heard: EnglishCandidate[] = [];
  for (const chunk of late.filter((each) => !known.has(each))) {
    heard.push({ chunk, ...(chunk.sound ?? (await hear(models, chunk))) });
  }
  for (const draft of await spell(models, heard)) known.set(draft.chunk, draft);
  const lateDrafts = late.map((chunk) => known.get(chunk)!);
  const english = await recogniseEnglish(models, lateDrafts);
  for (const [chunk, { words, language, languages }] of foreign) {
    const candidate = candidates.find((each) => each.chunk === chunk);
    const logOdds =
      known.get(chunk)?.logOdds ??
      (candidate ? englishLogOddsOfSound(candidate.soundLogOdds, englishHead.odds) : null);
    const own = english.get(chunk) ?? { words, language, english: logOdds };
    recognised.set(chunk, { ...own, languages: possible(chunk, englishHead.odds, languages) });
  }
  return recognised;
}

async function hear(models: LoadedModels, { pcm }: ChunkToRecognise): Promise<EnglishSound> {
  return englishSound(models, await models.recognizer.encoder.encode(pcm));
}

/** True if the chunk is so clearly not English that decoding it with Moonshine is wasted time. */
function skipsMoonshine(models: LoadedModels, { chunk, soundLogOdds }: EnglishCandidate): boolean {
  const { language, prior = {} } = chunk.request;
  const logOdds = englishLogOddsOfSound(soundLogOdds, models.recognizer.englishHead.odds);
  const others = otherLanguagesOf(models, chunk.request);
  return language === null && others !== null && isClearlyNotEnglish(logOdds, prior);
}

/** Decodes the candidates with Moonshine, in one batch. */
async function spell(
  { recognizer }: LoadedModels,
  chunks: readonly EnglishCandidate[],
): Promise<readonly EnglishDraft[]> {
  if (chunks.length === 0) return [];
  const { decoder, englishHead } = recognizer;
  const spelled = await decoder.decode(
    chunks.map(({ encoded }) => encoded),
    chunks.map(({ chunk }) => chunk.request.vocabulary ?? []),
  );
  return chunks.map((each, i) => {
    const own = spelled[i]!;
    const logOdds = englishLogOdds(each.soundLogOdds, own, englishHead.odds);
    return { ...each, spelled: own, logOdds };
  });
}

/** True if a draft is final: without a model for other languages every chunk counts as English. */
function isAccepted(models: LoadedModels, { chunk, logOdds }: EnglishDraft): boolean {
  const { language, prior = {} } = chunk.request;
  const others = otherLanguagesOf(models, chunk.request);
  return language === 'en' || others === null || isClearlyEnglish(logOdds, prior);
}

/** What Moonshine alone has taken for English; where its words make no sense, Whisper is asked. */
async function inTheirLanguage(
  models: LoadedModels,
  english: ReadonlyMap<ChunkToRecognise, Recognised>,
): Promise<ReadonlyMap<ChunkToRecognise, Recognised>> {
  const doubtful = [...english].flatMap(([chunk, { words }]) => {
    const { request } = chunk;
    const mayDiffer = request.language === null && otherLanguagesOf(models, request) !== null;
    return mayDiffer && isDoubtfulEnglish(words) ? [chunk] : [];
  });
  const settled = new Map(english);
  for (const [chunk, other] of await recogniseOthers(models, doubtful)) {
    const own = english.get(chunk)!;
    const { words, language, languages } = other;
    if (replacesEnglish(other, own.words))
      settled.set(chunk, { ...own, words, language, languages });
  }
  return settled;
}

/** A chunk that is detected as English has language null and no words. */
async function recogniseOthers(
  models: LoadedModels,
  chunks: readonly ChunkToRecognise[],
): Promise<ReadonlyMap<ChunkToRecognise, RecognisedText>> {
  const { odds } = models.recognizer.englishHead;
  return recogniseEach(chunks, {
    recognizerOf: ({ request }) => required(otherLanguagesOf(models, request)),
    languageOf: (chunk) =>
      chunk.request.language ??
      ((detected) => {
        const { prior = {}, detectionOnly } = chunk.request;
        const decided = decideLanguage({ detected: possible(chunk, odds, detected), prior });
        return decided === 'en' || detectionOnly ? null : decided;
      }),
    words: true,
  });
}

/** Without English where short speech sounds nothing like it. */
function possible(
  { request, sound }: ChunkToRecognise,
  odds: EnglishOdds,
  detected: LanguageProbabilities,
): LanguageProbabilities {
  if (!request.compareReadings || !sound) return detected;
  if (!isNeverEnglish(englishLogOddsOfSound(sound.soundLogOdds, odds))) return detected;
  return Object.fromEntries(Object.entries(detected).filter(([code]) => code !== 'en'));
}

/** Words of drafts that are English: Moonshine's, or those of what is assigned. */
async function recogniseEnglish(
  models: LoadedModels,
  drafts: readonly EnglishDraft[],
): Promise<ReadonlyMap<ChunkToRecognise, Recognised>> {
  const isAssigned = ({ chunk }: EnglishDraft): boolean =>
    assignedTo(models, chunk.request).recognition !== undefined;
  const assigned = drafts.filter(isAssigned);
  const own = await timeEnglish(
    models,
    drafts.filter((draft) => !isAssigned(draft)),
  );
  const recognised = new Map(
    own.map(({ draft: { chunk, logOdds }, words }): [ChunkToRecognise, Recognised] => {
      return [chunk, { words, language: 'en', languages: null, english: logOdds }];
    }),
  );
  const odds = new Map(assigned.map(({ chunk, logOdds }) => [chunk, logOdds]));
  for (const [chunk, words] of await recogniseAssignedEnglish(models, [...odds.keys()])) {
    recognised.set(chunk, { ...words, english: odds.get(chunk) ?? null });
  }
  return recognised;
}

async function recogniseAssignedEnglish(
  models: LoadedModels,
  chunks: readonly ChunkToRecognise[],
): Promise<ReadonlyMap<ChunkToRecognise, Recognised>> {
  const found = await recogniseEach(chunks, {
    recognizerOf: ({ request }) => assignedTo(models, request).recognition!,
    languageOf: () => 'en',
    words: true,
  });
  return new Map(
    Array.from(found, ([chunk, { words, language }]) => {
      return [chunk, { words, language, languages: null, english: null }] as const;
    }),
  );
}
