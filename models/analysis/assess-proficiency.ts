// Assesses how the words of a recording are pronounced, and whether it can be graded.
import type { ReadSamples } from '../audio/samples.ts';
import { isBeyondAccent, isClearlyEnglish, isDoubtfulEnglish } from '../asr/language-decision.ts';
import { distinctPairs } from '../asr/plausibility.ts';
import { proficiencyFiles } from '../bundles/catalog.ts';
import { ServiceError } from '../contract/errors.ts';
import { modelRow, proficiencyModel } from '../contract/served-models.ts';
import { InferenceFailed } from '../inference/errors.ts';
import type { ChunkAnalysis, InferencePool, JobOptions } from '../inference/jobs.ts';
import type { ProficiencyAssessment } from '../proficiency/assessment.ts';
import { checkRecording, hasEnoughSpeech, type CheckInput } from '../proficiency/check.ts';
import type { HeardWord, PronouncedWord } from '../proficiency/pronounced-word.ts';
import {
  coversSpeech,
  fitsTranscript,
  hasRoom,
  transcriptWords,
} from '../proficiency/transcript.ts';
import { readChunk } from './plan/chunk-samples.ts';
import { alignTranscript, pronounceChunk } from './align-transcript.ts';
import type { AnalyzedChunk } from './analyzed-chunk.ts';
import { eachLimited } from '../concurrency/each-limited.ts';
import { findTurns } from './speakers/find-turns.ts';
import type { RecordingPlan } from './plan/plan.ts';
import { sampleRate } from '../audio/sample-rate.ts';

export interface AssessInput {
  readonly plan: RecordingPlan;
  /** In order; with recognised words where no transcript is given. */
  readonly chunks: readonly AnalyzedChunk[];
  /** Length of the recording. */
  readonly samples: number;
  /** The transcript of a reading; null uses the recognised words. */
  readonly transcript: string | null;
  readonly read: ReadSamples;
  readonly job: JobOptions;
}

/** Aligns or recognises the speech window by window, then measures, scores and checks it. */
export async function assessProficiency(
  pool: InferencePool,
  input: AssessInput,
): Promise<ProficiencyAssessment> {
  const { plan, transcript } = input;
  const windows =
    transcript === null
      ? await pronounceRecognised(pool, input)
      : await alignTranscript(pool, input, transcriptWords(transcript));
  const words = windows.flat();
  const { speechSeconds } = plan;
  const wordCount = transcript === null ? words.filter(({ phones }) => phones > 0).length : null;
  const enough = hasEnoughSpeech({ speechSeconds, wordCount });
  const known = transcript === null ? ofRecognised(input) : ofTranscript(windows, speechSeconds);
  const evidence = enough
    ? await collectEvidence(pool, input, known)
    : { ...noEvidence, language: await languageWithoutWords(pool, input) };
  const check = checkRecording({ speechSeconds, wordCount, ...known, ...evidence });
  return {
    ...{ check, words: words.map(pronounced), speechSeconds, transcriptGiven: transcript !== null },
    windows: windows.filter((own) => own.length > 0).length,
  };
}

type WordEvidence = Pick<
  CheckInput,
  'meanConfidence' | 'distinctPairs' | 'transcriptFits' | 'isBeyondAccent'
> & {
  /** No other language has to be considered. */
  readonly isEnglish: boolean;
};

/** Of the words that were recognised. */
function ofRecognised({ plan, chunks }: AssessInput): WordEvidence {
  const words = chunks.flatMap((chunk) => chunk.words);
  const sum = words.reduce((total, { confidence }) => total + (confidence ?? 0), 0);
  let [weight, odds] = [0, 0];
  for (const { index, english } of chunks) {
    const { startSample, endSample } = plan.chunks[index]!;
    if (english === null || english === undefined) continue;
    weight += endSample - startSample;
    odds += english * (endSample - startSample);
  }
  return {
    meanConfidence: words.length === 0 ? null : sum / words.length,
    distinctPairs: words.length === 0 ? null : distinctPairs(words),
    transcriptFits: null,
    isBeyondAccent: weight > 0 && isBeyondAccent(odds / weight),
    isEnglish: weight > 0 && isClearlyEnglish(odds / weight, {}) && !isDoubtfulEnglish(words),
  };
}

/** Of a given transcript: what fits an English text is English. */
function ofTranscript(
  windows: readonly (readonly HeardWord[])[],
  speechSeconds: number,
): WordEvidence {
  const { calibration } = proficiencyFiles(modelRow(proficiencyModel));
  const words = windows.flat();
  const isEnglish = fitsTranscript(words, calibration);
  const transcriptFits = isEnglish && hasRoom(windows) && coversSpeech(words, speechSeconds);
  const ofWords = { meanConfidence: null, distinctPairs: null, isBeyondAccent: false };
  return { ...ofWords, transcriptFits, isEnglish };
}

/** What is kept of a word. */
function pronounced(heard: HeardWord): PronouncedWord {
  const { word, start, end, phones, gop, vowelSeconds } = heard;
  return { word, start, end, phones, gop, vowelSeconds };
}

/** Each chunk is a window in which its words are aligned. */
async function pronounceRecognised(
  pool: InferencePool,
  input: AssessInput,
): Promise<readonly (readonly HeardWord[])[]> {
  const windows: (readonly HeardWord[])[] = input.plan.chunks.map(() => []);
  await eachLimited(input.chunks, pool.size, async ({ index, words }) => {
    windows[index] = await pronounceChunk(pool, input, {
      chunk: input.plan.chunks[index]!,
      words: words.map(({ word }) => word),
      toTheLast: true,
    });
  });
  return windows;
}

type SpeechEvidence = Pick<CheckInput, 'language' | 'mainSpeakerSeconds' | 'otherSpeakersSeconds'>;

const noEvidence: SpeechEvidence = {
  language: null,
  mainSpeakerSeconds: 0,
  otherSpeakersSeconds: 0,
};

async function collectEvidence(
  pool: InferencePool,
  input: AssessInput,
  { isEnglish }: WordEvidence,
): Promise<SpeechEvidence> {
  const language = isEnglish ? 'en' : ((await detectLanguage(pool, input))?.language ?? null);
  return { language, ...(await speakerSeconds(pool, input)) };
}

/**
 * Read as English, speech of another language may have no words at all: then it is told by those of
 * its own language, which no other sound has. Null where there are none.
 */
async function languageWithoutWords(
  pool: InferencePool,
  input: AssessInput,
): Promise<string | null> {
  const { transcript, plan } = input;
  const { speechSeconds } = plan;
  if (transcript !== null || !hasEnoughSpeech({ speechSeconds, wordCount: null })) return null;
  const heard = await detectLanguage(pool, input);
  const wordCount = heard?.words.length ?? 0;
  return hasEnoughSpeech({ speechSeconds, wordCount }) ? heard!.language : null;
}

/** The longest chunk; null without one, and where no model detects languages. */
async function detectLanguage(
  pool: InferencePool,
  { plan, read, job }: AssessInput,
): Promise<Pick<ChunkAnalysis, 'language' | 'words'> | null> {
  const [longest] = plan.chunks.toSorted(
    (a, b) => b.endSample - b.startSample - (a.endSample - a.startSample),
  );
  if (!longest) return null;
  const request = { words: true, language: null, text: false, head: null, spans: [] } as const;
  try {
    return await pool.analyze(await readChunk(read, longest), request, job);
  } catch (error) {
    // A deployment without the models of other languages still grades English.
    if (error instanceof InferenceFailed) return null;
    throw error;
  }
}

/** Speech of the main speaker and of the others; nothing without a diarizer. */
async function speakerSeconds(
  pool: InferencePool,
  { samples, read, job }: AssessInput,
): Promise<Pick<CheckInput, 'mainSpeakerSeconds' | 'otherSpeakersSeconds'>> {
  const turns = await findTurns(pool, { samples, numSpeakers: null, read, job }).catch(
    (error: unknown) => {
      if (error instanceof ServiceError && error.code === 'diarization_upstream_failed') return [];
      throw error;
    },
  );
  const seconds = new Map<number, number>();
  for (const { speaker, start, end } of turns) {
    seconds.set(speaker ?? 0, (seconds.get(speaker ?? 0) ?? 0) + end - start);
  }
  const main = Math.max(0, ...seconds.values());
  const all = [...seconds.values()].reduce((sum, own) => sum + own, 0);
  return { mainSpeakerSeconds: main, otherSpeakersSeconds: all - main };
}

/**
 * Replaces recognised words with those of a given transcript; recognition only served as a check.
 */
export function withTranscriptWords(
  chunks: readonly AnalyzedChunk[],
  plan: RecordingPlan,
  { transcriptGiven, words }: ProficiencyAssessment,
): readonly AnalyzedChunk[] {
  if (!transcriptGiven) return chunks;
  const last = plan.chunks.length - 1;
  return chunks.map((chunk) => {
    const { startSample, endSample } = plan.chunks[chunk.index]!;
    // A word that was found in the silence behind the recording starts at its very end.
    const endSeconds = chunk.index === last ? Infinity : endSample / sampleRate;
    const inside = words.filter(
      ({ start }) => start >= startSample / sampleRate && start < endSeconds,
    );
    return {
      ...chunk,
      words: inside.map(({ word, start, end }) => ({ word, start, end, confidence: null })),
    };
  });
}
