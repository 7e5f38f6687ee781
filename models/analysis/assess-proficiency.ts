// Assesses how the words of a recording are pronounced, and whether it can be graded.
import type { ReadSamples } from '../audio/samples.ts';
import { ServiceError } from '../contract/errors.ts';
import { InferenceFailed } from '../inference/errors.ts';
import type { InferencePool, JobOptions } from '../inference/jobs.ts';
import type { ProficiencyAssessment } from '../proficiency/assessment.ts';
import { checkRecording, hasEnoughSpeech, type CheckInput } from '../proficiency/check.ts';
import type { PronouncedWord } from '../proficiency/pronounced-word.ts';
import { alignTranscript, transcriptWords } from '../proficiency/transcript.ts';
import type { AnalyzedChunk } from './analyzed-chunk.ts';
import { eachLimited } from './each-limited.ts';
import { findTurns } from './find-turns.ts';
import type { RecordingPlan } from './plan.ts';
import { sampleRate } from '../audio/sample-rate.ts';

export interface AssessInput {
  readonly plan: RecordingPlan;
  /** With recognised words, in order. */
  readonly chunks: readonly AnalyzedChunk[];
  /** Length of the recording. */
  readonly samples: number;
  /** The transcript of a reading; null uses the recognised words. */
  readonly transcript: string | null;
  readonly read: ReadSamples;
  readonly job: JobOptions;
}

export async function assessProficiency(
  pool: InferencePool,
  input: AssessInput,
): Promise<ProficiencyAssessment> {
  const { plan, chunks, transcript } = input;
  const recognised = chunks.flatMap(({ words, index }) =>
    words.map(({ word }) => ({ word, chunk: index })),
  );
  const lengths = plan.chunks.map((c) => (c.endSample - c.startSample) / sampleRate);
  const aligned =
    transcript === null
      ? { chunks: chunks.map(({ words }) => words.map(({ word }) => word)), agreement: null }
      : alignTranscript(transcriptWords(transcript), recognised, lengths);
  const words = await pronounce(pool, input, aligned.chunks);
  const { speechSeconds } = plan;
  const spokenCount = words.filter(({ phones }) => phones > 0).length;
  const wordCount = transcript === null ? spokenCount : null;
  const confidences = chunks.flatMap((chunk) => chunk.words.map((word) => word.confidence ?? 0));
  const sum = confidences.reduce((total, confidence) => total + confidence, 0);
  const check = checkRecording({
    speechSeconds,
    wordCount,
    meanConfidence: confidences.length === 0 ? null : sum / confidences.length,
    agreement: aligned.agreement,
    ...(hasEnoughSpeech({ speechSeconds, wordCount })
      ? await collectEvidence(pool, input)
      : noEvidence),
  });
  const windows = aligned.chunks.filter((own) => own.length > 0).length;
  return { check, words, speechSeconds, transcriptGiven: transcript !== null, windows };
}

/** Each chunk is a window in which its words are aligned. */
async function pronounce(
  pool: InferencePool,
  { plan, read, job }: AssessInput,
  wordsOf: readonly (readonly string[])[],
): Promise<readonly PronouncedWord[]> {
  const windows: (readonly PronouncedWord[])[] = plan.chunks.map(() => []);
  await eachLimited(plan.chunks, pool.size, async (chunk) => {
    const own = wordsOf[chunk.index] ?? [];
    if (own.length === 0) return;
    const offset = chunk.startSample / sampleRate;
    const pronounced = await pool.pronounce(await read(chunk), own, job);
    windows[chunk.index] = pronounced.map((word) => ({
      ...word,
      start: word.start + offset,
      end: word.end + offset,
    }));
  });
  return windows.flat();
}

type SpeechEvidence = Pick<CheckInput, 'language' | 'mainSpeakerSeconds' | 'otherSpeakersSeconds'>;

const noEvidence: SpeechEvidence = {
  language: null,
  mainSpeakerSeconds: 0,
  otherSpeakersSeconds: 0,
};

async function collectEvidence(pool: InferencePool, input: AssessInput): Promise<SpeechEvidence> {
  const language = await detectLanguage(pool, input);
  return { language, ...(await speakerSeconds(pool, input)) };
}

/** Of the longest chunk; null without one, and where no model detects languages. */
async function detectLanguage(
  pool: InferencePool,
  { plan, read, job }: AssessInput,
): Promise<string | null> {
  const [longest] = plan.chunks.toSorted(
    (a, b) => b.endSample - b.startSample - (a.endSample - a.startSample),
  );
  if (!longest) return null;
  const request = { words: true, language: null, text: false, head: null, spans: [] } as const;
  try {
    return (await pool.analyze(await read(longest), request, job)).language;
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
  return chunks.map((chunk) => {
    const { startSample, endSample } = plan.chunks[chunk.index]!;
    const inside = words.filter(
      ({ start }) => start >= startSample / sampleRate && start < endSample / sampleRate,
    );
    return {
      ...chunk,
      words: inside.map(({ word, start, end }) => ({ word, start, end, confidence: null })),
    };
  });
}
