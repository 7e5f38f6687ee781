// Sends one webhook message, signed according to standardwebhooks.com, to one receiver.
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Webhook } from 'standardwebhooks';
import type { ReceiverAnswer, WebhookMessage } from '../../models/contract/webhook-message.ts';
import { AddressRefused } from '../egress/guard.ts';
import { retryAfterSeconds } from '../egress/retry-after.ts';
import { routeTo, type Egress, type Route } from '../egress/route.ts';

/** From the name resolution to the last header of the response. */
const deadlineMs = 15_000;
const maxHeaderBytes = 16_384;

/** No status was received; the message may be shown to whoever registered the receiver. */
export class ReceiverUnreachable extends Error {
  override readonly name = 'ReceiverUnreachable';
}

export interface WebhookEgress extends Egress {
  readonly timeoutMs?: number;
}

/** The receiver's answer, whose body is not read. @throws ReceiverUnreachable */
export async function sendWebhook(
  message: WebhookMessage,
  { networks, proxy, timeoutMs = deadlineMs }: WebhookEgress,
): Promise<ReceiverAnswer> {
  const late = new AbortController();
  // A socket timeout restarts with every byte; this deadline does not.
  const deadline = setTimeout(() => late.abort(), timeoutMs);
  try {
    return await post(message, await routeTo(message.url, { networks, proxy }, late));
  } catch (cause) {
    const reason = late.signal.aborted
      ? `There was no response within ${timeoutMs / 1_000} seconds.`
      : cause instanceof AddressRefused
        ? 'The receiver has an address that webhooks may not be sent to.'
        : 'The receiver could not be reached.';
    throw new ReceiverUnreachable(reason, { cause });
  } finally {
    clearTimeout(deadline);
  }
}

function post({ id, url, secrets, event }: WebhookMessage, route: Route): Promise<ReceiverAnswer> {
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
    const options = { method: 'POST', headers, ...route, maxHeaderSize: maxHeaderBytes };
    // Redirects are not followed, because they would bypass the address checks.
    const request = send(url, options, (response) => {
      const { statusCode: status = 0, headers: answered } = response;
      const afterSeconds = retryAfterSeconds(answered['retry-after'], Date.now());
      resolve({ status, retryAfterSeconds: afterSeconds });
      // Only the status matters, and a body may be endless.
      response.on('error', () => {});
      request.destroy();
    });
    request.once('close', () => reject(new Error('closed before the response')));
    request.once('error', reject);
    request.end(body);
  });
}
