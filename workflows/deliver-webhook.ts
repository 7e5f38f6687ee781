// Word of a batch's end to whoever asked for it: tried for days, with longer and longer pauses.
import { proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { Activities } from './activities.ts';
import { webhookQueue } from './ids.ts';
import type { WebhookInput } from './types.ts';

type WebhookActivities = Pick<Activities, 'postWebhook'>;

/** Each attempt says when the next one is due. */
function onWebhookQueue(): WebhookActivities {
  return proxyActivities<WebhookActivities>({
    taskQueue: webhookQueue(workflowInfo().taskQueue),
    startToCloseTimeout: '30s',
    scheduleToCloseTimeout: '3d',
    retry: { initialInterval: '5s', backoffCoefficient: 2, maximumInterval: '6h' },
  });
}

/** Ends completed when a receiver took it, or with the reason why nobody ever will. */
export async function deliverWebhook(input: WebhookInput): Promise<void> {
  setCurrentDetails('Waiting for the receiver to answer 2xx; *Pending Activities* has the reason.');
  const status = await onWebhookQueue().postWebhook(input);
  setCurrentDetails(`The receiver answered ${status}.`);
}
