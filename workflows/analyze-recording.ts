// One request on a recording: open it, diarize it, analyse its spans, finish it; or clean up.
import { CancellationScope, patched } from '@temporalio/workflow';
import type { RemoteAudio } from '../models/contract/recording-request.ts';
import { describeFailure } from './failure.ts';
import { reportProgress, type ProgressReport } from './progress.ts';
import { isSmallUpload } from './plan.ts';
import {
  failRecording,
  finishRecording,
  onInferenceQueue,
  onSourceQueue,
  openRecording,
  openSmallRecording,
} from './proxies.ts';
import { inRounds, isOutOfAttempts, patienceFor } from './rounds.ts';
import type {
  AnalyzeRecordingInput,
  AnalyzeRecordingResult,
  OpenedRecording,
  PlannedWork,
  RecordingInput,
  RefusedRecording,
  Span,
} from './types.ts';

/**
 * Runs one attempt of a request. It completes with the key of the result object, or with a refusal
 * of the recording, or fails with an ApplicationFailure whose type is an error code; without a
 * result nothing is charged and nothing is kept. What callers send is thus no failure to operators.
 */
export async function analyzeRecording(
  given: RecordingInput,
): Promise<AnalyzeRecordingResult | RefusedRecording> {
  const remote = 'fileId' in given.upload ? given.upload : null;
  const report = reportProgress({ ...given.options, fetch: remote !== null });
  try {
    const recording = remote ? await fetched(given, remote) : (given as AnalyzeRecordingInput);
    if (remote) report.enter({ stage: 'opening' });
    const opened = await inRounds(patienceFor(given), () => open(recording));
    if (opened.kind !== 'completed') return await runLong(recording, opened, report);
    report.enter({ stage: 'completed' });
    return { resultKey: opened.resultKey };
  } catch (error) {
    report.enter({ stage: 'failed' });
    const failure = describeFailure(error);
    const failed = await CancellationScope.nonCancellable(() =>
      failRecording({ recording: given, ...failure }),
    );
    if (failed?.isCallersFault) report.enter({ stage: 'refused' });
    // What an address does not give out is no more a failure than audio that cannot be decoded.
    const isRefusal = failed?.isAudiosFault || (remote !== null && failed?.isCallersFault);
    if (!isRefusal || !given.readsRefusal) throw error;
    const { code, message, param } = failure;
    return { refusal: { code, message, param } };
  }
}

/**
 * A small upload is opened within the workflow task, but not for long: the server is told every few
 * seconds that the task goes on, in three events of the history, and in an outage of two days these
 * would be more than it may have. An activity of the queue is tried again without any.
 */
async function open(recording: AnalyzeRecordingInput): Promise<OpenedRecording> {
  if (!isSmallUpload(recording.upload.bytes)) return openRecording(recording);
  try {
    return await openSmallRecording(recording);
  } catch (error) {
    if (!isOutOfAttempts(error)) throw error;
    return openRecording(recording);
  }
}

async function fetched(
  { batch, ...given }: RecordingInput,
  remote: RemoteAudio,
): Promise<AnalyzeRecordingInput> {
  const place = batch!;
  const { organizationId } = given;
  const fetching = { organizationId, batch: place, remote };
  const upload = await inRounds(patienceFor({ batch }), () =>
    onSourceQueue().fetchRecording(fetching),
  );
  return { ...given, batch: place, upload };
}

type OpenedLong = Exclude<OpenedRecording, { kind: 'completed' }>;

async function runLong(
  recording: AnalyzeRecordingInput,
  opened: OpenedLong,
  report: ProgressReport,
): Promise<AnalyzeRecordingResult> {
  const { audio } = opened;
  const { chunks, spans } = await planned(recording, opened, report);
  const audioSeconds = audio.sourceSamples / audio.sourceRate;
  report.enter({ stage: 'analyzing', audioSeconds, chunksTotal: chunks });
  let chunksDone = 0;
  const analyze = async (span: Span): Promise<void> => {
    const summary = `chunks ${span.firstChunk + 1}-${span.endChunk} of ${chunks}`;
    const step = (): Promise<void> => onInferenceQueue(summary).analyzeSpan({ recording, span });
    await inRounds(patienceFor(recording), step);
    chunksDone += span.endChunk - span.firstChunk;
    report.show({ chunksDone });
  };
  // A failing span cancels the others, whose work would be wasted.
  await CancellationScope.cancellable(async () => {
    const analyzed = spans.map(analyze);
    try {
      await Promise.all(analyzed);
    } catch (error) {
      CancellationScope.current().cancel();
      // Workflows of earlier versions cleaned up while the others were still writing.
      if (patched('spans-end')) await Promise.allSettled(analyzed);
      throw error;
    }
  });
  report.show({ stage: 'finishing' });
  const finished = await inRounds(patienceFor(recording), () =>
    finishRecording({ recording, audio }),
  );
  report.enter({ stage: 'completed' });
  return finished;
}

async function planned(
  recording: AnalyzeRecordingInput,
  opened: OpenedLong,
  report: ProgressReport,
): Promise<PlannedWork> {
  if (opened.kind === 'planned') return opened;
  const { audio } = opened;
  report.enter({ stage: 'diarizing', audioSeconds: audio.sourceSamples / audio.sourceRate });
  const minutes = (audio.sourceSamples / audio.sourceRate / 60).toFixed(1);
  const diarizer = onInferenceQueue(`speakers of ${minutes} min`);
  return inRounds(patienceFor(recording), () => diarizer.diarizeRecording({ recording, audio }));
}
