// The result of a recording whose chunks are analysed: languages settled, proficiency assessed.
import type { AffectModel } from '../../affect/select.ts';
import { billableSeconds } from '../../contract/billing.ts';
import type { RedactNext } from '../../redaction/conversation.ts';
import type { RemovedSpeech } from '../../contract/redaction.ts';
import { languageOf, stepsOf, windowOf } from '../../contract/served-models.ts';
import type { InferencePool } from '../../inference/jobs.ts';
import type { ProficiencyAssessment } from '../../proficiency/assessment.ts';
import { assembleRecording } from './assemble.ts';
import type { AnalyzedRecording } from '../analyzed-recording.ts';
import { withoutLeakedWords } from '../speakers/leaked-words.ts';
import { planOfHeard } from '../plan/plan-of-heard.ts';
import { isUnlikelyEnglish } from '../languages/unlikely-english.ts';
import { resolveLanguages } from '../languages/resolve-languages.ts';
import { assessProficiency, withTranscriptWords } from '../assess-proficiency.ts';
import { resultFormat } from './documents.ts';
import type { RecordingResult } from './result.ts';
import { ratePerMinute } from '../../contract/charge-rate.ts';

export interface ResultOptions {
  /** The affect model; null for a model without labels. */
  readonly affect: AffectModel | null;
  /** The transcript of a reading; null without one. */
  readonly transcript: string | null;
  /** Redacts what goes on with a conversation; absent for a recording by itself. */
  readonly redactNext?: RedactNext | undefined;
}

/** Assembles the result; a proficiency task is assessed as well. */
export async function resultOf(
  pool: InferencePool,
  analyzed: AnalyzedRecording,
  { affect, transcript, redactNext }: ResultOptions,
): Promise<RecordingResult> {
  const { request, audio } = analyzed;
  const plan = planOfHeard(analyzed);
  const { sourceSamples, sourceRate } = audio;
  const isGraded = request.task === 'proficiency';
  const proficiency = isGraded ? await assess(pool, analyzed, transcript) : null;
  const spoken = proficiency
    ? withTranscriptWords(analyzed.chunks, plan, proficiency)
    : await resolveLanguages(pool, analyzed);
  const { samples } = audio;
  const chunks = await withoutLeakedWords(spoken, plan, { samples, read: analyzed.read });
  const assembled = assembleRecording({
    steps: stepsOf(request),
    language: languageOf(request),
    plan,
    hasWindows: windowOf(request.model) !== null,
    chunks,
    includeLogits: request.options.includeLogits,
    formatNumbers: request.options.formatNumbers === true,
    redact: request.options.redact ?? null,
    redactNext,
    affect,
    durationSeconds: sourceSamples / sourceRate,
  });
  return {
    version: resultFormat.version,
    sourceSamples,
    sourceRate,
    billableSeconds:
      proficiency?.check.billable === false ? 0 : billableSeconds(ratePerMinute(request), audio),
    ...assembled,
    ...(request.task === 'synthetic_speech' &&
      isUnlikelyEnglish(chunks) && { unlikelyEnglish: true as const }),
    ...(analyzed.reservationMs !== undefined && { reservationMs: analyzed.reservationMs }),
    ...(proficiency && { proficiency: withoutRemoved(proficiency, assembled.removed ?? []) }),
  };
}

/** The scores of removed words stay, but not what was said. */
function withoutRemoved(
  assessment: ProficiencyAssessment,
  removed: readonly RemovedSpeech[],
): ProficiencyAssessment {
  const words = assessment.words.map((word) => {
    const middle = (word.start + word.end) / 2;
    const found = removed.find(({ start, end }) => start <= middle && middle <= end);
    return found ? { ...word, word: `[${found.kind.toUpperCase()}]` } : word;
  });
  return { ...assessment, words };
}

function assess(
  pool: InferencePool,
  { audio, plan, chunks, read, job }: AnalyzedRecording,
  transcript: string | null,
): Promise<ProficiencyAssessment> {
  const ordered = chunks.toSorted((a, b) => a.index - b.index);
  const { samples } = audio;
  return assessProficiency(pool, { plan, chunks: ordered, samples, transcript, read, job });
}
