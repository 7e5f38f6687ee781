// Maps a stored result to the SpeechResult of interface.md.
import { emotionLabels, styleLabels } from '../../models/contract/labels.ts';
import type { LabelScore } from '../../models/affect/select.ts';
import type { RecordingSegment } from '../../models/analysis/result/result.ts';
import type { RemovedSpeech } from '../../models/contract/redaction.ts';
import { taskSteps, type SpeechTask } from '../../models/contract/tasks.ts';
import type { RunRequest } from '../runs/run-request.ts';
import type { FinishedRun } from '../runs/runs.ts';
import { durationOf, resultId, rounded, scoreOf, timeWithin } from './result-fields.ts';
import type { SpeechResult } from './schemas.ts';
import { taggedText } from './tagged-text.ts';
import { toUsage } from './usage.ts';

type Segment = SpeechResult['segments'][number];

interface SpeechRequest extends Pick<RunRequest, 'requestId' | 'model'> {
  readonly task: SpeechTask;
}

/** Maps a finished recording; times have three decimals, scores six. */
export function toSpeechResult(
  { requestId, task, model }: SpeechRequest,
  { organizationId, attempt, result }: FinishedRun,
): SpeechResult {
  const duration = durationOf(result);
  const { billableSeconds, text, language, speakers } = result;
  const segments = result.segments.map((segment, id) => toSegment(segment, { id, task, duration }));
  const tagged = task === 'analysis';
  return {
    id: resultId({ organizationId, requestId, attempt }),
    object: 'speech.result',
    task,
    model,
    text,
    tagged_text: tagged ? segments.map((segment) => segment.tagged_text).join(' ') : null,
    language,
    duration,
    emotions: toScores(result.emotions),
    styles: toScores(result.styles),
    segments,
    diarized: speakers !== null,
    speakers: Array.from({ length: speakers ?? 0 }, (_, i) => speakerLabel(i)),
    usage: toUsage({ model, task, audioSeconds: duration, billableSeconds }),
    ...(result.removed && { redactions: toRedactions(result.removed, duration) }),
  };
}

function toSegment(
  segment: RecordingSegment,
  { id, task, duration }: { id: number; task: SpeechTask; duration: number },
): Segment {
  const time = timeWithin(duration);
  const { start, end, text, words, speaker, emotions, styles, logits } = segment;
  return {
    id,
    start: time(start),
    end: time(end),
    text,
    tagged_text: task === 'analysis' ? taggedText(segment) : null,
    words: words.map((word) => ({
      word: word.word,
      start: time(word.start),
      end: time(word.end),
      confidence: word.confidence === null ? null : rounded(word.confidence, 3),
    })),
    emotions: toScores(emotions),
    styles: toScores(styles),
    speaker: speaker === null ? null : speakerLabel(speaker),
    ...(logits && toLogits(logits, task)),
  };
}

function toRedactions(
  removed: readonly RemovedSpeech[],
  duration: number,
): NonNullable<SpeechResult['redactions']> {
  const time = timeWithin(duration);
  return removed.map(({ kind, start, end, speaker }) => ({
    kind,
    start: time(start),
    end: time(end),
    speaker: speaker === null ? null : speakerLabel(speaker),
  }));
}

/** Scores and logits of the task's own labels; each score is the sigmoid of its logit. */
function toLogits(
  logits: readonly number[],
  task: SpeechTask,
): Required<Pick<Segment, 'scores' | 'raw_logits'>> {
  const { emotions, styles } = taskSteps[task];
  const labels = [...emotionLabels, ...styleLabels];
  const wanted = labels.flatMap((label, i) =>
    (i < emotionLabels.length ? emotions : styles) ? [[label, logits[i]!] as const] : [],
  );
  return {
    scores: Object.fromEntries(wanted.map(([label, logit]) => [label, scoreOf(logit)])),
    raw_logits: Object.fromEntries(wanted),
  };
}

/** Labels with scores of six decimals. */
export function toScores(scores: readonly LabelScore[]): SpeechResult['emotions'] {
  return scores.map(({ label, score }) => ({ label, score: rounded(score, 6) }));
}

export function speakerLabel(index: number): string {
  return `speaker_${index}`;
}
