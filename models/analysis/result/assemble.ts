// Assembles chunks into one result: words joined, segments formed, scores averaged.
import { areFloorLogits, floorLogits } from '../../affect/no-speech.ts';
import { classifySegments } from '../../affect/classify.ts';
import { meanOverTime, selectLabels, type AffectModel } from '../../affect/select.ts';
import { joinWords, splitSegments } from '../../asr/segments.ts';
import { startSentence } from '../../asr/sentence-case.ts';
import type { Word } from '../../asr/transcript.ts';
import { withoutUnheardMurmurs } from '../../asr/unheard-murmurs.ts';
import type { AnalyzedChunk, ScoredPart } from '../analyzed-chunk.ts';
import { textWriter, type TextWriter } from './segment-text.ts';
import { renumber } from '../../diarization/turns.ts';
import { redactTurns } from '../../redaction/redact-turns.ts';
import { transcriptOf } from './transcript-of.ts';
import { wordLanguages } from '../languages/word-languages.ts';
import { wordOwners } from '../speakers/word-owners.ts';
import type { RecordingPlan, PlannedSegment } from '../plan/plan.ts';
import type { RecordingResult, RecordingSegment } from './result.ts';
import type { Redaction } from '../../contract/redaction.ts';
import type { TaskSteps } from '../../contract/tasks.ts';

/** A part with its logits, which contains speech. */
interface ClassifiedPart extends Omit<ScoredPart, 'readings'> {
  readonly logits: readonly number[];
}

export interface AssembleInput {
  readonly steps: TaskSteps;
  /** The language that the request fixes; null when it is detected. */
  readonly language: string | null;
  readonly includeLogits: boolean;
  readonly formatNumbers: boolean;
  /** null for nothing. */
  readonly redact: Redaction | null;
  /** null for a model without labels, whose readings are the logits. */
  readonly affect: AffectModel | null;
  readonly plan: RecordingPlan;
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

interface Draft {
  readonly start: number;
  readonly end: number;
  readonly words: readonly Word[];
  readonly speaker: number | null;
  readonly parts: readonly ClassifiedPart[];
}

/** Joins the chunks of a recording in any order. */
export function assembleRecording(input: AssembleInput): AssembledRecording {
  const { steps, plan } = input;
  const ordered = input.chunks.toSorted((a, b) => a.index - b.index);
  const chunks = startSentences(
    ordered.map((chunk) => ({ ...chunk, words: withoutUnheardMurmurs(chunk.words) })),
  );
  const parts = classify(chunks, input);
  const drafts = plan.segments
    ? inOrder(plannedSegments(plan.segments, wordsByChannel(chunks), parts), plan)
    : wordSegments(joinWords(chunks.map((chunk) => chunk.words)), parts, input);
  const { spoken, removed } = redacted(
    drafts.map((draft) => spokenPart(draft, steps)),
    chunks,
    input,
  );
  const write = textWriter(chunks, input);
  const segments = spoken.map((draft) => finish(draft, write, input));
  const anyWord = spoken.some((draft) => draft.words.length > 0);
  // When segments follow from words, speech at their edges still counts for the whole recording.
  const scoredParts = plan.segments || !anyWord ? spoken.flatMap((draft) => draft.parts) : parts;
  const whole = logitsOf(scoredParts, input);
  return {
    ...transcriptOf({ steps, language: input.language, segments, chunks }),
    ...labelsOf(whole, input),
    segments,
    speakers: plan.speakers,
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

/** Segments follow from the words; the parts that overlap a segment give its score. */
function wordSegments(
  words: readonly Word[],
  parts: readonly ClassifiedPart[],
  { steps, durationSeconds }: AssembleInput,
): readonly Draft[] {
  const drafts = splitSegments(words).map((own) => {
    const start = own[0]!.start;
    const end = own.at(-1)!.end;
    const inside = parts
      .map((part) => ({
        ...part,
        start: Math.max(start, part.start),
        end: Math.min(end, part.end),
      }))
      .filter((part) => part.end > part.start);
    return { start, end, words: own, speaker: null, parts: inside };
  });
  if (drafts.length > 0 || !steps.scores) return drafts;
  // Speech without a recognised word yields one segment, as a recording without speech does.
  return [{ start: 0, end: durationSeconds, words: [], speaker: null, parts: [] }];
}

/** Joins the words of neighbouring chunks, but never those of different channels. */
function wordsByChannel(chunks: readonly AnalyzedChunk[]): ReadonlyMap<number | null, Word[]> {
  const grouped = Map.groupBy(chunks, ({ channel = null }) => channel);
  return new Map(
    [...grouped].map(([channel, own]) => [channel, [...joinWords(own.map(({ words }) => words))]]),
  );
}

/** Segments are turns or speech segments; each word goes to the one it overlaps most. */
function plannedSegments(
  segments: readonly PlannedSegment[],
  words: ReadonlyMap<number | null, readonly Word[]>,
  parts: readonly ClassifiedPart[],
): readonly Draft[] {
  const owned: Word[][] = segments.map(() => []);
  for (const [channel, spoken] of words) {
    const numbers = segments.flatMap(({ speaker }, i) =>
      channel === null || speaker === channel ? [i] : [],
    );
    const own = numbers.map((i) => segments[i]!);
    wordOwners(spoken, own).forEach((owner, i) => owned[numbers[owner] ?? -1]?.push(spoken[i]!));
  }
  const scored = Map.groupBy(parts, (part) => part.segment);
  return segments.map((segment, i) => ({
    start: Math.min(segment.start, owned[i]![0]?.start ?? Infinity),
    end: Math.max(segment.end, owned[i]!.at(-1)?.end ?? -Infinity),
    words: owned[i]!,
    speaker: segment.speaker,
    parts: scored.get(i) ?? [],
  }));
}

/**
 * A long first word may begin before the segment that its own overlaps less: whoever says it is
 * then the first of the speakers, unless these are channels.
 */
function inOrder(
  drafts: readonly Draft[],
  { speakers, channelSpeechSeconds }: RecordingPlan,
): readonly Draft[] {
  const sorted = drafts.toSorted((a, b) => a.start - b.start);
  return speakers === null || channelSpeechSeconds ? sorted : renumber(sorted);
}

/** A segment without a recognised word is not speech, so it is not scored. */
function spokenPart(draft: Draft, { words }: TaskSteps): Draft {
  return words && draft.words.length === 0 ? { ...draft, parts: [] } : draft;
}

/** Without what the request removes, before any text is made of the words. */
function redacted(
  drafts: readonly Draft[],
  chunks: readonly AnalyzedChunk[],
  { redact }: AssembleInput,
): { readonly spoken: readonly Draft[] } & Pick<RecordingResult, 'removed'> {
  if (!redact) return { spoken: drafts };
  const { words, removed } = redactTurns(drafts, redact, wordLanguages(chunks));
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
