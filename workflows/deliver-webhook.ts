// Notifies a receiver of a batch's end, with retries over days at growing intervals.
import { proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { Activities } from './activities.ts';
import { webhookQueue } from './ids.ts';
import { inRounds, type Patience } from './rounds.ts';
import type { WebhookInput } from './types.ts';

type WebhookActivities = Pick<Activities, 'postWebhook'>;

/** A round is a day, so that one of them is all that a service that is switched off may miss. */
const patience: Patience = { rounds: 3, ms: 3 * 24 * 3_600_000 };

/** Each failed attempt sets the delay of the next one. */
function onWebhookQueue(): WebhookActivities {
  return proxyActivities<WebhookActivities>({
    taskQueue: webhookQueue(workflowInfo().taskQueue),
    startToCloseTimeout: '30s',
    scheduleToCloseTimeout: '1d',
    retry: { initialInterval: '5s', backoffCoefficient: 2, maximumInterval: '6h' },
  });
}

/** Completes when a receiver accepted the message, or fails with the reason why none ever will. */
export async function deliverWebhook(input: WebhookInput): Promise<void> {
  setCurrentDetails('Waiting for the receiver to answer 2xx; *Pending Activities* has the reason.');
  const status = await inRounds(patience, () => onWebhookQueue().postWebhook(input));
  setCurrentDetails(`The receiver answered ${status}.`);
}
