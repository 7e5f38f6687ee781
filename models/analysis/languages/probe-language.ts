// Hears a few chunks of a long recording before the others are recognised: where hardly one of them
// is English, Moonshine need not encode every chunk only to find that out again.
import type { ReadSamples } from '../../audio/samples.ts';
import { decideLanguage } from '../../asr/language-decision.ts';
import type { RecordingRequest } from '../../contract/recording-request.ts';
import { languageOf, stepsOf } from '../../contract/served-models.ts';
import type { InferencePool, JobOptions } from '../../inference/jobs.ts';
import { readChunk } from '../plan/chunk-samples.ts';
import { recogniseAgain } from '../analyze-chunk.ts';
import type { PlannedChunk, RecordingPlan } from '../plan/plan.ts';

/** Some ten minutes of speech: below, the probes cost more than they save. */
const minChunks = 56;
/** The longest chunk of each part of the recording is heard. */
const parts = 4;
/**
 * Chunks that Whisper, but not Moonshine's encoder, takes for English: of letters and names in
 * Spanish one in four is. Speakers with an accent have more.
 */
const maxTakenForEnglish = 1;
/**
 * Weight of the language that all others are in, for the first reading of every chunk: half of what
 * the chunks can give it when they vote.
 */
const agreedWeight = 2;

export interface Probing {
  readonly request: RecordingRequest;
  readonly read: ReadSamples;
  readonly job: JobOptions;
}

/** What is known of the languages of a recording before its chunks are recognised. */
export type LanguageOutlook = Pick<RecordingPlan, 'unlikelyEnglish' | 'prior'>;

/**
 * @returns `unlikelyEnglish` where the chunks that were heard are not English, and a `prior` if
 * they agree
 */
export async function probeLanguage(
  pool: InferencePool,
  chunks: readonly PlannedChunk[],
  { request, read, job }: Probing,
): Promise<LanguageOutlook> {
  const recognises = stepsOf(request).words && request.transcriptKey === undefined;
  const detects = recognises && languageOf(request) === null;
  if (!detects || chunks.length < minChunks) return {};
  const decide = async (chunk: PlannedChunk): Promise<string | null> => {
    const pcm = await readChunk(read, chunk);
    const asked = { chunk, pcm, language: null, detectionOnly: true } as const;
    const { languages } = await recogniseAgain(pool, { request, job }, asked);
    return languages ? decideLanguage({ detected: languages, prior: {} }) : null;
  };
  const [first, ...others] = longestOfParts(chunks);
  // So clearly English that Whisper was not asked: it costs an English recording 0.1 s.
  const ofFirst = await decide(first!);
  if (ofFirst === null) return {};
  const decided = [ofFirst, ...(await Promise.all(others.map(decide)))];
  const takenForEnglish = decided.filter((code) => code === 'en').length;
  if (takenForEnglish > maxTakenForEnglish || decided.includes(null)) return {};
  return { unlikelyEnglish: true, ...priorOf(decided.filter((code) => code !== 'en')) };
}

function priorOf([first, ...others]: readonly (string | null)[]): Pick<LanguageOutlook, 'prior'> {
  const agree = first && others.every((code) => code === first);
  return agree ? { prior: { [first]: agreedWeight } } : {};
}

function longestOfParts(chunks: readonly PlannedChunk[]): readonly PlannedChunk[] {
  const length = ({ startSample, endSample }: PlannedChunk): number => endSample - startSample;
  return Array.from({ length: parts }, (_, part) => {
    const bound = (at: number): number => Math.floor((at * chunks.length) / parts);
    const own = chunks.slice(bound(part), bound(part + 1));
    return own.reduce((longest, chunk) => (length(chunk) > length(longest) ? chunk : longest));
  });
}
