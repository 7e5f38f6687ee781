// Assembles chunks into one result: words joined, segments formed, scores averaged.
import { areFloorLogits, floorLogits } from '../../affect/no-speech.ts';
import { classifySegments } from '../../affect/classify.ts';
import { meanOverTime, selectLabels, type AffectModel } from '../../affect/select.ts';
import { startSentence } from '../../asr/sentence-case.ts';
import type { Word } from '../../asr/transcript.ts';
import { withoutUnheardMurmurs } from '../../asr/unheard-murmurs.ts';
import type { AnalyzedChunk, ScoredPart } from '../analyzed-chunk.ts';
import { textWriter, type TextWriter } from './segment-text.ts';
import type { RedactNext } from '../../redaction/conversation.ts';
import { redactTurns } from '../../redaction/redact-turns.ts';
import { heardSpeakers } from './heard-speakers.ts';
import { draftSegments, type ClassifiedPart, type Draft } from './segment-drafts.ts';
import { transcriptOf } from './transcript-of.ts';
import { wordLanguages } from '../languages/word-languages.ts';
import type { RecordingPlan } from '../plan/plan.ts';
import type { RecordingResult, RecordingSegment } from './result.ts';
import type { Redaction } from '../../contract/redaction.ts';
import type { TaskSteps } from '../../contract/tasks.ts';

export interface AssembleInput {
  readonly steps: TaskSteps;
  /** The language that the request fixes; null when it is detected. */
  readonly language: string | null;
  readonly includeLogits: boolean;
  readonly formatNumbers: boolean;
  /** null for nothing. */
  readonly redact: Redaction | null;
  /** Absent where nothing was said before. */
  readonly redactNext?: RedactNext | undefined;
  /** null for a model without labels, whose readings are the logits. */
  readonly affect: AffectModel | null;
  readonly plan: RecordingPlan;
  /** The segments are windows of a fixed length, which stay without speech. */
  readonly hasWindows: boolean;
  readonly chunks: readonly AnalyzedChunk[];
  readonly durationSeconds: number;
}

export type AssembledRecording = Pick<
  RecordingResult,
  | 'text'
  | 'language'
  | 'emotions'
  | 'styles'
  | 'segments'
  | 'speakers'
  | 'removed'
  | 'channelSpeechSeconds'
  | 'outline'
  | 'inferenceMs'
  | 'logits'
>;

/** Joins the chunks of a recording in any order. */
export function assembleRecording(input: AssembleInput): AssembledRecording {
  const { steps, plan } = input;
  const ordered = input.chunks.toSorted((a, b) => a.index - b.index);
  const chunks = startSentences(
    ordered.map((chunk) => ({ ...chunk, words: withoutUnheardMurmurs(chunk.words) })),
  );
  const parts = classify(chunks, input);
  const heard = heardSpeakers(draftSegments(chunks, parts, input), input);
  const turns = hasSpeech(heard.turns, input) ? heard.turns : silence(input);
  const { spoken, removed } = redacted(turns, chunks, input);
  const write = textWriter(chunks, input);
  const segments = spoken.map((draft) => finish(draft, write, input));
  const whole = logitsOf(
    spoken.flatMap((draft) => draft.parts),
    input,
  );
  return {
    ...transcriptOf({ steps, language: input.language, segments, chunks }),
    ...labelsOf(whole, input),
    segments,
    speakers: heard.speakers,
    ...(removed && { removed }),
    ...(plan.channelSpeechSeconds && { channelSpeechSeconds: plan.channelSpeechSeconds }),
    ...(plan.outline && { outline: plan.outline }),
    logits: input.includeLogits ? whole : null,
    inferenceMs: Math.round(chunks.reduce((sum, chunk) => sum + chunk.inferenceMs, 0)),
  };
}

/** Before anything looks words up by identity. @param chunks in order */
function startSentences(chunks: readonly AnalyzedChunk[]): readonly AnalyzedChunk[] {
  const last = new Map<AnalyzedChunk['channel'], Word>();
  return chunks.map((chunk) => {
    const { channel, words: own } = chunk;
    if (own.length === 0) return chunk;
    const words = startSentence(own, last.get(channel));
    last.set(channel, words.at(-1)!);
    return { ...chunk, words };
  });
}

function classify(
  chunks: readonly AnalyzedChunk[],
  { affect, plan }: AssembleInput,
): readonly ClassifiedPart[] {
  const parts = chunks.flatMap((chunk) => chunk.scored);
  if (!affect) return parts.map(({ readings, ...part }) => ({ ...part, logits: readings }));
  const speakerOf = ({ segment }: ScoredPart): number | null =>
    segment === null ? null : (plan.segments?.[segment]?.speaker ?? null);
  const speakerParts = parts.map((part) => ({ ...part, speaker: speakerOf(part) }));
  const logits = classifySegments(affect.weights, speakerParts);
  return parts
    .map(({ segment, start, end }, i) => ({ segment, start, end, logits: logits[i]! }))
    .filter((part) => !areFloorLogits(part.logits));
}

/** Without speech, the tasks that score have one segment over the whole recording. */
function silence({ steps, durationSeconds }: AssembleInput): readonly Draft[] {
  const whole = { start: 0, end: durationSeconds, words: [], speaker: null, parts: [] };
  return steps.scores ? [whole] : [];
}

/** False where nothing that was looked for was heard, and segments are what was heard. */
function hasSpeech(drafts: readonly Draft[], input: AssembleInput): boolean {
  const { steps, affect, hasWindows } = input;
  if (drafts.length === 0) return false;
  if (!affect || hasWindows || steps.words || steps.text) return true;
  return drafts.some(({ parts }) => parts.length > 0);
}

/** Without what the request removes, before any text is made of the words. */
function redacted(
  drafts: readonly Draft[],
  chunks: readonly AnalyzedChunk[],
  { redact, redactNext = redactTurns }: AssembleInput,
): { readonly spoken: readonly Draft[] } & Pick<RecordingResult, 'removed'> {
  if (!redact) return { spoken: drafts };
  const { words, removed } = redactNext(drafts, redact, wordLanguages(chunks));
  return { spoken: drafts.map((draft, i) => ({ ...draft, words: words[i]! })), removed };
}

function finish(
  { start, end, words, speaker, parts }: Draft,
  write: TextWriter,
  input: AssembleInput,
): RecordingSegment {
  const logits = logitsOf(parts, input);
  return {
    start,
    end,
    text: input.steps.words ? write(words) : null,
    words,
    speaker,
    ...labelsOf(logits, input),
    logits: input.includeLogits ? logits : null,
  };
}

/** null when nothing is scored; the floor logits without speech. */
function logitsOf(
  parts: readonly ClassifiedPart[],
  { steps, plan }: AssembleInput,
): readonly number[] | null {
  if (parts.length === 0) return steps.scores && !plan.abstains ? floorLogits() : null;
  return meanOverTime(
    parts.map(({ start, end, logits }) => ({ seconds: end - start, values: logits })),
  );
}

function labelsOf(
  logits: readonly number[] | null,
  { steps, affect }: AssembleInput,
): Pick<RecordingSegment, 'emotions' | 'styles'> {
  const { emotions, styles } = steps;
  const selected = logits && affect && selectLabels(logits, affect);
  return {
    emotions: emotions && selected ? selected.emotions : [],
    styles: styles && selected ? selected.styles : [],
  };
}
