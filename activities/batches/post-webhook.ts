// One attempt to notify a receiver that a batch has ended.
import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity';
import { countItems } from '../../db/batch-counts.ts';
import { batchById } from '../../db/batches.ts';
import { webhookSecrets } from '../../db/webhook-secrets.ts';
import { AcquireTimeout } from '../../models/fairness/fair-semaphore.ts';
import type { WebhookInput } from '../../workflows/types.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import type { WebhookAttempt } from '../metrics.ts';

type WebhookDependencies = Pick<ActivityDependencies, 'db' | 'secretBox' | 'sendWebhook'>;

const goneStatus = 410;
/**
 * How long a message may wait here, where it keeps one of the worker's few spare Temporal slots.
 */
const timeoutMs = 1_000;
const shortestDelayMs = 5_000;
const longestDelayMs = 6 * 3_600_000;
/** A fault of this service ends without the receiver: it is not left alone for hours. */
const longestOwnDelayMs = 60_000;

/** Its batch is about to end: the delivery is started first, so that no crash can lose it. */
class NotDueYet extends Error {
  override readonly name = 'NotDueYet';
}

/** The receiver was asked, and did not accept the message. */
class NotAccepted extends Error {
  override readonly name = 'NotAccepted';
  readonly retryAfterSeconds: number | null;

  constructor(message: string, retryAfterSeconds: number | null = null) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * Sends in a slot of the organization, so that its slow receivers delay only its own messages.
 * @returns the receiver's status, 2xx
 * @throws when the receiver did not accept the message, or could not be asked; not retried when the
 * receiver or the batch is gone
 */
export async function postWebhook(
  dependencies: WebhookDependencies & Pick<ActivityDependencies, 'senders' | 'metrics'>,
  input: WebhookInput,
): Promise<number> {
  const { cancellationSignal: signal, info } = Context.current();
  const { senders, metrics } = dependencies;
  // By Temporal's clock and this process's own time: the machine's clock may be another one.
  const { scheduledTimestampMs, currentAttemptScheduledTimestampMs } = info;
  const beforeMs = currentAttemptScheduledTimestampMs - scheduledTimestampMs;
  const startedAt = performance.now();
  // The message was scheduled when its batch ended.
  const ageMs = (): number => beforeMs + performance.now() - startedAt;
  const tell = (outcome: WebhookAttempt['outcome']): void =>
    metrics.webhook({ outcome, lagSeconds: ageMs() / 1_000 });
  try {
    const release = await senders.acquire(input.organizationId, { signal, timeoutMs });
    const status = await post(dependencies, input).finally(release);
    tell('delivered');
    return status;
  } catch (error) {
    // Its worker stops or its workflow was ended: nothing is known about the receiver.
    if (signal.aborted) throw new CancelledFailure('cancelled');
    const outcome = outcomeOf(error);
    tell(outcome);
    if (outcome === 'gone') throw error;
    const { message } = error instanceof Error ? error : new Error(String(error));
    const type = outcome === 'failed' ? 'receiver_failed' : 'not_sent_yet';
    const nextRetryDelay = delayAfter(outcome, error, ageMs());
    throw ApplicationFailure.create({ message, type, nextRetryDelay });
  }
}

type FailedOutcome = Exclude<WebhookAttempt['outcome'], 'delivered'>;

function outcomeOf(error: unknown): FailedOutcome {
  if (error instanceof ApplicationFailure && error.nonRetryable === true) return 'gone';
  if (error instanceof AcquireTimeout || error instanceof NotDueYet) return 'waited';
  return error instanceof NotAccepted ? 'failed' : 'unsent';
}

function delayAfter(outcome: FailedOutcome, error: unknown, ageMs: number): number {
  if (outcome === 'waited') return shortestDelayMs;
  if (outcome === 'unsent') return Math.min(longestOwnDelayMs, nextDelayMs(ageMs));
  const wishedSeconds = error instanceof NotAccepted ? (error.retryAfterSeconds ?? 0) : 0;
  return Math.max(nextDelayMs(ageMs), Math.min(longestDelayMs, wishedSeconds * 1_000));
}

/**
 * The delay equals the age of the message, between 5 s and 6 h, so the age doubles from attempt to
 * attempt. The number of attempts would not do, as some of them only waited for a slot.
 */
export function nextDelayMs(ageMs: number): number {
  return Math.min(longestDelayMs, Math.max(shortestDelayMs, ageMs));
}

async function post(
  { db, secretBox, sendWebhook }: WebhookDependencies,
  { organizationId, batchId }: WebhookInput,
): Promise<number> {
  if (!secretBox) throw new Error('SVC_SECRETS_KEY is not set: webhooks cannot be signed');
  const batch = await batchById(db, batchId);
  const secrets = await webhookSecrets(db, secretBox, organizationId);
  if (!batch?.webhookUrl || secrets.length === 0) {
    throw ApplicationFailure.nonRetryable('The batch was deleted.', 'batch_deleted');
  }
  if (!batch.endedAt) throw new NotDueYet('The batch has not ended yet.');
  const { completed, failed } = await countItems(db, batch);
  const { status, retryAfterSeconds } = await sendWebhook({
    id: `msg_${batchId}`,
    url: new URL(batch.webhookUrl),
    secrets,
    event: {
      type: `batch.${batch.status}`,
      timestamp: batch.endedAt.toISOString(),
      data: {
        id: batch.id,
        object: 'batch',
        status: batch.status,
        request_counts: { total: batch.total, completed, failed },
      },
    },
  }).catch((cause: unknown) => {
    throw new NotAccepted(cause instanceof Error ? cause.message : String(cause));
  });
  if (status >= 200 && status < 300) return status;
  const message = `The receiver answered ${status}.`;
  if (status === goneStatus) throw ApplicationFailure.nonRetryable(message, 'receiver_gone');
  throw new NotAccepted(message, retryAfterSeconds);
}
