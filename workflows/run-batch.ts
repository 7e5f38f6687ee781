// A batch: groups of clips and single recordings, with bounded concurrency.
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  ChildWorkflowCancellationType,
  CancellationScope,
  ParentClosePolicy,
  condition,
  continueAsNew,
  defineQuery,
  executeChild,
  isCancellation,
  patched,
  setCurrentDetails,
  setHandler,
  sleep,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import type { FinalStatus } from '../models/contract/batch-status.ts';
import { batchTable, type BatchProgress } from './batch-progress.ts';
import { finishBatch, onBatchInferenceQueue, planBatch, startBatch } from './batch-proxies.ts';
import { requestQueue, webhookWorkflowId } from './ids.ts';
import { inRounds, patienceFor } from './rounds.ts';
import { searchAttributes } from './search-attributes.ts';
import type {
  BatchPlan,
  BatchRecording,
  ClipGroup,
  RunBatchInput,
  SharedItemRequest,
} from './types.ts';

type Work = ClipGroup | BatchRecording;

/**
 * Concurrent work of one batch at most: enough for a cluster, few enough that another batch is not
 * far behind. A batch begins with less and takes more with each that ends: whatever is scheduled
 * costs Temporal the same if it is cancelled before it begins.
 */
const maxWindow = 32;
/** A longer history slows every step down, so the workflow continues as a new one. */
const maxHistoryEvents = 2_000;

const batchProgressQuery = defineQuery<BatchProgress>('progress');

/** Completes when every item has ended; after a cancellation, when no item runs any more. */
export async function runBatch(input: RunBatchInput): Promise<string> {
  const { batchId, total } = input;
  const report = reportBatch(input);
  let status: FinalStatus = 'completed';
  let next = total;
  try {
    if (await startBatch(batchId)) next = await runItems(input, report);
  } catch (error) {
    status = isCancellation(error) ? 'cancelled' : 'failed';
    report.show({ stage: 'cancelling' });
    await CancellationScope.nonCancellable(() => condition(() => report.now().running === 0));
  }
  // Outside of the try block, because continuing as new throws.
  if (next < total) return continueAsNew<typeof runBatch>({ ...input, next });
  return CancellationScope.nonCancellable(async () => {
    const end = await finishBatch({ batchId, status });
    report.show({ stage: 'ended' });
    if (end.webhook) await notify(input);
    return end.status;
  });
}

interface Report {
  now(): BatchProgress;
  show(change: Partial<BatchProgress>): void;
}

/** Registers the `progress` query; what is reported is shown. */
function reportBatch({ total, next }: RunBatchInput): Report {
  let progress: BatchProgress = { total, done: next, running: 0, stage: 'running' };
  setHandler(batchProgressQuery, () => progress);
  return {
    now: () => progress,
    show: (change) => {
      progress = { ...progress, ...change };
      setCurrentDetails(batchTable(progress));
    },
  };
}

/** @returns the first item that was not started, when the history has grown too long */
async function runItems(input: RunBatchInput, report: Report): Promise<number> {
  const { batchId } = input;
  let { next } = input;
  let window: number | undefined;
  const running = (): number => report.now().running;
  const waiting: Work[] = [];
  // Clips that turned out too long: they run first, because a continued workflow would not know of
  // them.
  const found: BatchRecording[] = [];
  let request: SharedItemRequest | null = null;

  const perform = async (work: Work): Promise<void> => {
    report.show({ running: running() + 1 });
    let done = 0;
    try {
      if (work.kind === 'recording') {
        await analyzeChild(batchId, request!, work);
        done = 1;
      } else {
        const { from, to } = work;
        const clips = onBatchInferenceQueue(`items ${from + 1}-${to}`);
        const step = () => clips.analyzeClips({ batchId, from, to });
        const outcome = await inRounds(patienceFor({ batch: batchId }), step);
        found.push(...outcome.long);
        done = outcome.done;
      }
    } catch {
      // The items hold their errors, or end with the batch.
    } finally {
      window = Math.min(maxWindow, window! + 1);
      report.show({ running: running() - 1, done: report.now().done + done });
    }
  };

  for (;;) {
    const long = workflowInfo().historyLength > maxHistoryEvents;
    if (!long && waiting.length === 0 && next < input.total) {
      const plan: BatchPlan = await planBatch({ ...input, next, works: window });
      waiting.push(...plan.works);
      ({ request } = plan);
      window ??= plan.firstWindow ?? maxWindow;
      next = plan.next;
      continue;
    }
    const work = found.shift() ?? (long ? undefined : waiting.shift());
    if (work) {
      void perform(work);
      await condition(() => running() < window!);
      continue;
    }
    if (running() === 0) break;
    report.show({ stage: long ? 'draining' : 'running' });
    const before = running();
    await condition(() => running() < before || found.length > 0);
  }
  const [first] = waiting;
  return first ? firstPosition(first) : next;
}

function firstPosition(work: Work): number {
  return work.kind === 'clips' ? work.from : work.position;
}

async function analyzeChild(
  batchId: string,
  request: SharedItemRequest,
  { workflowId, requestId, position, upload }: BatchRecording,
): Promise<void> {
  const { organizationId, task, model, attempt } = request;
  const batch = { id: batchId, position };
  const recording = { ...request, requestId, upload, batch, readsRefusal: true };
  const analyze = (): Promise<unknown> =>
    executeChild('analyzeRecording', {
      workflowId,
      args: [recording],
      cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
      // When a batch is terminated its recordings are cancelled, so that they clean up.
      parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
      memo: { attempt },
      staticSummary: `${task} by ${model}, ${containerOf(upload)}, item ${position + 1}`,
      staticDetails: `Organization ${organizationId}, batch ${batchId}.`,
      typedSearchAttributes: searchAttributes({
        organizationId,
        model,
        task,
        stage: 'opening',
        batchId,
      }),
    });
  await onceFree(analyze);
}

const firstDelayMs = 5_000;
const longestDelayMs = 60_000;

/**
 * After a reset of the batch a recording may still be analysed by the workflow that the run before
 * started. The item ends with it; the next one finds that, and the batch knows.
 */
async function onceFree(start: () => Promise<unknown>): Promise<void> {
  for (let delayMs = firstDelayMs; ; delayMs = Math.min(longestDelayMs, 2 * delayMs)) {
    try {
      await start();
      return;
    } catch (error) {
      // Batches of earlier versions ended without it.
      if (!isTaken(error) || !patched('recording-in-progress')) throw error;
      await sleep(delayMs);
    }
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof WorkflowExecutionAlreadyStartedError;
}

function containerOf(upload: BatchRecording['upload']): string {
  return 'container' in upload ? upload.container : 'from its address';
}

/**
 * Outlives the batch, because a receiver may be unavailable for days. Of a batch that is cancelled
 * before its workflow starts, the API has started the delivery.
 */
async function notify({ organizationId, batchId }: RunBatchInput): Promise<void> {
  await startChild('deliverWebhook', {
    workflowId: webhookWorkflowId(organizationId, batchId),
    taskQueue: requestQueue(workflowInfo().taskQueue),
    args: [{ organizationId, batchId }],
    parentClosePolicy: ParentClosePolicy.ABANDON,
    staticSummary: `webhook of ${batchId}`,
    typedSearchAttributes: searchAttributes({ organizationId, batchId }),
  }).catch((error: unknown) => {
    if (!isTaken(error)) throw error;
  });
}
