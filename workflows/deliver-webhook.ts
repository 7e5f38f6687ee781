// Word of a batch's end to whoever asked for it: tried for days, with longer and longer pauses.
import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { createActivities } from '../activities/index.ts';
import type { WebhookInput } from './types.ts';

const { postWebhook } = proxyActivities<Pick<ReturnType<typeof createActivities>, 'postWebhook'>>({
  startToCloseTimeout: '30s',
  scheduleToCloseTimeout: '3d',
  retry: { initialInterval: '5s', backoffCoefficient: 2, maximumInterval: '6h' },
});

/** Ends completed when a receiver took it, or with the reason why nobody ever will. */
export async function deliverWebhook(input: WebhookInput): Promise<void> {
  setCurrentDetails('Waiting for the receiver to answer 2xx; *Pending Activities* has the reason.');
  const status = await postWebhook(input);
  setCurrentDetails(`The receiver answered ${status}.`);
}
