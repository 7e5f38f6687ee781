// One attempt to tell a receiver that a batch has ended.
import { ApplicationFailure } from '@temporalio/activity';
import { sendWebhook } from '../../api/webhooks/send.ts';
import { countItems } from '../../db/batch-counts.ts';
import { batchById } from '../../db/batches.ts';
import { webhookSecrets } from '../../db/webhook-secrets.ts';
import type { WebhookInput } from '../../workflows/types.ts';
import type { ActivityDependencies } from '../dependencies.ts';

const gone = 410;

/**
 * @returns the receiver's status, 2xx
 * @throws when it did not take it: tried again; for ever gone when it says so or the batch is
 */
export async function postWebhook(
  dependencies: Pick<ActivityDependencies, 'db' | 'secretBox' | 'webhookNetworks'>,
  { organizationId, batchId }: WebhookInput,
): Promise<number> {
  const { db, secretBox, webhookNetworks } = dependencies;
  if (!secretBox) throw new Error('SVC_SECRETS_KEY is not set: webhooks cannot be signed');
  const batch = await batchById(db, batchId);
  const secrets = await webhookSecrets(db, secretBox, organizationId);
  if (!batch?.webhook_url || secrets.length === 0) {
    throw ApplicationFailure.nonRetryable('The batch was deleted.', 'batch_deleted');
  }
  const { completed, failed } = await countItems(db, batch);
  const status = await sendWebhook(
    {
      id: `msg_${batchId}`,
      url: new URL(batch.webhook_url),
      secrets,
      event: {
        type: `batch.${batch.status}`,
        timestamp: (batch.ended_at ?? new Date()).toISOString(),
        data: {
          id: batch.id,
          object: 'batch',
          status: batch.status,
          request_counts: { total: batch.total, completed, failed },
        },
      },
    },
    webhookNetworks,
  );
  if (status >= 200 && status < 300) return status;
  const message = `The receiver answered ${status}.`;
  if (status === gone) throw ApplicationFailure.nonRetryable(message, 'receiver_gone');
  throw ApplicationFailure.create({ message, type: 'receiver_failed' });
}
