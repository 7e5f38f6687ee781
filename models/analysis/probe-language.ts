// Hears a few chunks of a long recording before the others are recognised: where none of them is
// English, Moonshine need not encode every chunk only to find that out again.
import type { ReadSamples } from '../audio/samples.ts';
import { decideLanguage } from '../asr/language-decision.ts';
import type { RecordingRequest } from '../contract/recording-request.ts';
import { languageOf, stepsOf } from '../contract/served-models.ts';
import type { InferencePool, JobOptions } from '../inference/jobs.ts';
import { recogniseAgain } from './analyze-chunk.ts';
import type { AnalyzedChunk } from './analyzed-chunk.ts';
import type { PlannedChunk, RecordingPlan } from './plan.ts';

/** Some ten minutes of speech: below, the probes cost more than they save. */
const minChunks = 56;
/** The longest chunk of each part of the recording is heard. */
const parts = 4;

export interface Probing {
  readonly request: RecordingRequest;
  readonly read: ReadSamples;
  readonly job: JobOptions;
}

/** @returns the plan, with `unlikelyEnglish` where no chunk that was heard is English */
export async function probeLanguage(
  pool: InferencePool,
  plan: RecordingPlan,
  { request, read, job }: Probing,
): Promise<RecordingPlan> {
  const recognises = stepsOf(request).words && request.transcriptKey === undefined;
  const detects = recognises && languageOf(request) === null;
  if (!detects || plan.chunks.length < minChunks) return plan;
  for (const chunk of longestOfParts(plan.chunks)) {
    const pcm = await read(chunk);
    const asked = { chunk, pcm, language: null, detectionOnly: true } as const;
    // The first one that is English ends the search: it costs an English recording 0.1 s.
    if (isEnglish(await recogniseAgain(pool, { request, job }, asked))) return plan;
  }
  return { ...plan, unlikelyEnglish: true };
}

function longestOfParts(chunks: readonly PlannedChunk[]): readonly PlannedChunk[] {
  const length = ({ startSample, endSample }: PlannedChunk): number => endSample - startSample;
  return Array.from({ length: parts }, (_, part) => {
    const bound = (at: number): number => Math.floor((at * chunks.length) / parts);
    const own = chunks.slice(bound(part), bound(part + 1));
    return own.reduce((longest, chunk) => (length(chunk) > length(longest) ? chunk : longest));
  });
}

/** Without languages the chunk is so clearly English that Whisper was not asked. */
function isEnglish({ languages }: AnalyzedChunk): boolean {
  return !languages || decideLanguage({ detected: languages, prior: {} }) === 'en';
}
