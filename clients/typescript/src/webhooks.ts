// Verifies webhooks of the service, which are signed according to standardwebhooks.com.
import type { Batch } from './schemas.ts';

export interface WebhookEvent {
  /** `batch.completed`, `batch.failed`, `batch.cancelled`, or `webhook.test`. */
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>> &
    Partial<Pick<Batch, 'id' | 'status'>> & {
      readonly request_counts?: Omit<Batch['request_counts'], 'cancelled'>;
    };
}

/** A message that the service did not sign, or that somebody sends again later. */
export class WebhookRejected extends Error {
  override readonly name = 'WebhookRejected';
}

export interface VerifyOptions {
  /** Age or earliness of a message that is still accepted; default 300 s. */
  readonly toleranceSeconds?: number;
  /** Unix milliseconds. */
  readonly nowMs?: number;
}

export interface ReceivedWebhook {
  /** A `Headers` object, or a record whose names are in lower case, as Node has them. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** As it was received: parsing and writing it again would change the signed bytes. */
  readonly body: string | Uint8Array<ArrayBuffer>;
}

/** A shorter one is no key of the service: an empty one would sign what anybody writes. */
const minKeyBytes = 16;

/**
 * The event, once its signature holds.
 * @param secret `whsec_…` of `POST /v1/webhooks/secret`
 * @throws WebhookRejected for the message, another error for a secret that is none
 */
export async function verifyWebhook(
  secret: string,
  { headers, body }: ReceivedWebhook,
  { toleranceSeconds = 300, nowMs = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const key = await hmacKey(secret);
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  );
  if (!id || !timestamp || !signatures)
    throw new WebhookRejected('webhook-id, webhook-timestamp or webhook-signature is missing');
  const ageSeconds = nowMs / 1_000 - Number(timestamp);
  if (!(Math.abs(ageSeconds) <= toleranceSeconds))
    throw new WebhookRejected(`webhook-timestamp is more than ${toleranceSeconds} s off`);
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  for (const signature of signatures.split(' ')) {
    const [version, encoded = ''] = signature.split(',');
    const bytes = version === 'v1' ? fromBase64(encoded) : null;
    // `verify` compares in constant time.
    if (bytes !== null && (await crypto.subtle.verify('HMAC', key, bytes, signed)))
      return JSON.parse(text) as WebhookEvent;
  }
  throw new WebhookRejected('no signature of the message is valid for the secret');
}

function headerOf(headers: ReceivedWebhook['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

async function hmacKey(secret: string) {
  const bytes = fromBase64(secret.replace(/^whsec_/, ''));
  if (bytes === null || bytes.length < minKeyBytes)
    throw new Error('the secret of webhooks is `whsec_` and base64 of at least 16 bytes');
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
}

/** null for what is none. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
