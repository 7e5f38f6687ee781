// Hears a few chunks of a long recording before the others are recognised: where hardly any of them
// is English, Moonshine need not encode every chunk only to find that out again.
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
/**
 * One of the four may be a name, a number or a prompt: what is taken for English in a recording of
 * another language costs little more by then, and is English all the same.
 */
const maxEnglish = 1;

export interface Probing {
  readonly request: RecordingRequest;
  readonly read: ReadSamples;
  readonly job: JobOptions;
}

/** @returns the plan, with `unlikelyEnglish` where hardly a chunk that was heard is English */
export async function probeLanguage(
  pool: InferencePool,
  plan: RecordingPlan,
  { request, read, job }: Probing,
): Promise<RecordingPlan> {
  const detects = stepsOf(request).words && languageOf(request) === null;
  if (!detects || plan.chunks.length < minChunks) return plan;
  let english = 0;
  for (const chunk of longestOfParts(plan.chunks)) {
    const pcm = await read(chunk);
    const asked = { chunk, pcm, language: null, detectionOnly: true } as const;
    if (isEnglish(await recogniseAgain(pool, { request, job }, asked))) english += 1;
    // The second that is English ends the search: it costs an English recording 0.2 s.
    if (english > maxEnglish) return plan;
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
