// One webhook message, signed as standardwebhooks.com says, to one receiver.
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Webhook } from 'standardwebhooks';
import { guardedLookup, literalAddress, mayCall, type AllowedNetworks } from './receiver.ts';

export interface WebhookMessage {
  /** The same for every repetition: receivers drop what they have had. */
  readonly id: string;
  readonly url: URL;
  /** Newest first; each signs. */
  readonly secrets: readonly string[];
  readonly event: WebhookEvent;
}

/** Ids and states; never what was said in a recording. */
export interface WebhookEvent {
  readonly type: string;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly data: object;
}

const timeoutMs = 15_000;

/** @returns the receiver's status. @throws when it cannot be reached or may not be called */
export async function sendWebhook(
  message: WebhookMessage,
  networks: AllowedNetworks,
): Promise<number> {
  const { id, url, secrets, event } = message;
  const literal = literalAddress(url);
  if (literal !== null && !mayCall(literal, networks)) {
    throw new Error(`${literal} is in a private network`);
  }
  const body = JSON.stringify(event);
  const sentAt = new Date();
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, sentAt, body));
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'user-agent': 'svc-speech',
    'webhook-id': id,
    'webhook-timestamp': Math.floor(sentAt.getTime() / 1_000),
    'webhook-signature': signatures.join(' '),
  };
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', headers, lookup: guardedLookup(networks), agent: false };
    // No redirect is followed: it would lead past the checks.
    const request = send(url, options, (response) => {
      response.resume();
      response.once('error', reject);
      resolve(response.statusCode ?? 0);
    });
    request.setTimeout(timeoutMs, () => request.destroy(new Error('the receiver is too slow')));
    request.once('error', reject);
    request.end(body);
  });
}
