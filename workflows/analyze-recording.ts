// One request on a recording: open it, transcribe its spans in parallel, finish; or clean up.
import { CancellationScope } from '@temporalio/workflow';
import { describeFailure } from './failure.ts';
import { reportProgress, type ProgressReport } from './progress.ts';
import { isSmallUpload } from './plan.ts';
import {
  failRecording,
  finishRecording,
  openRecording,
  openSmallRecording,
  transcribeSpanWith,
} from './proxies.ts';
import type {
  AnalyzeRecordingInput,
  AnalyzeRecordingResult,
  OpenedRecording,
  Span,
} from './types.ts';

/**
 * Runs one attempt of a request. It ends completed with the result object's key, or failed with an
 * ApplicationFailure whose type is an error code; then nothing is charged and nothing is left.
 */
export async function analyzeRecording(
  recording: AnalyzeRecordingInput,
): Promise<AnalyzeRecordingResult> {
  const report = reportProgress();
  try {
    const open = isSmallUpload(recording.upload.bytes) ? openSmallRecording : openRecording;
    const opened = await open(recording);
    if (opened.kind === 'planned') return await runPlanned(recording, opened, report);
    report.enter({ stage: 'completed' });
    return { resultKey: opened.resultKey };
  } catch (error) {
    report.enter({ stage: 'failed' });
    const failure = describeFailure(error);
    await CancellationScope.nonCancellable(() => failRecording({ recording, ...failure }));
    throw error;
  }
}

async function runPlanned(
  recording: AnalyzeRecordingInput,
  { audio, chunks, spans }: Extract<OpenedRecording, { kind: 'planned' }>,
  report: ProgressReport,
): Promise<AnalyzeRecordingResult> {
  const audioSeconds = audio.sourceSamples / audio.sourceRate;
  report.enter({ stage: 'transcribing', audioSeconds, chunksTotal: chunks });
  let chunksDone = 0;
  const transcribe = async (span: Span): Promise<void> => {
    const summary = `chunks ${span.firstChunk + 1}-${span.endChunk} of ${chunks}`;
    await transcribeSpanWith(summary)({ recording, span });
    chunksDone += span.endChunk - span.firstChunk;
    report.show({ chunksDone });
  };
  // One failing span cancels the others: their work is of no use any more.
  await CancellationScope.cancellable(async () => {
    try {
      await Promise.all(spans.map(transcribe));
    } catch (error) {
      CancellationScope.current().cancel();
      throw error;
    }
  });
  report.show({ stage: 'finishing' });
  const finished = await finishRecording({ recording, audio });
  report.enter({ stage: 'completed' });
  return finished;
}
