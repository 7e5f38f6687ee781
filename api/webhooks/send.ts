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

/** From the look-up of the name to the last header of the answer. */
const deadlineMs = 15_000;
const maxHeaderBytes = 16_384;

/** No status came; the message may be told to whoever named the receiver. */
export class ReceiverUnreachable extends Error {
  override readonly name = 'ReceiverUnreachable';
}

/** @returns the receiver's status; its body is not read. @throws ReceiverUnreachable */
export async function sendWebhook(
  message: WebhookMessage,
  networks: AllowedNetworks,
  timeoutMs = deadlineMs,
): Promise<number> {
  const { id, url, secrets, event } = message;
  const literal = literalAddress(url);
  if (literal !== null && !mayCall(literal, networks)) {
    throw new ReceiverUnreachable('The receiver is in a network that may not be called.');
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
    const lookup = guardedLookup(networks);
    const options = {
      method: 'POST',
      headers,
      lookup,
      agent: false,
      maxHeaderSize: maxHeaderBytes,
    };
    // No redirect is followed: it would lead past the checks.
    const request = send(url, options, (response) => {
      resolve(response.statusCode ?? 0);
      // The status is all that counts, and a body may have no end.
      response.on('error', () => {});
      request.destroy();
    });
    let late = false;
    // Any byte would put off a time limit of the socket; this one holds whatever comes.
    const deadline = setTimeout(() => {
      late = true;
      request.destroy();
    }, timeoutMs);
    request.once('close', () => {
      clearTimeout(deadline);
      reject(new ReceiverUnreachable('The connection was closed before an answer.'));
    });
    request.once('error', (cause) => {
      const reason = late
        ? `There was no answer in ${timeoutMs / 1_000} seconds.`
        : 'The receiver could not be reached.';
      reject(new ReceiverUnreachable(reason, { cause }));
    });
    request.end(body);
  });
}
