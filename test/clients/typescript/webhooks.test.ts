// Webhooks as the library that signs them in the service signs them.
import test from 'ava';
import { Webhook } from 'standardwebhooks';
import {
  verifyWebhook,
  WebhookRejected,
  type WebhookEvent,
} from '../../../clients/typescript/src/webhooks.ts';

const secret = `whsec_${Buffer.from('a secret of some length').toString('base64')}`;
/** As they are sent: what is neither completed nor failed was cancelled. */
const counts = { total: 3, completed: 1, failed: 0 } satisfies Required<
  NonNullable<WebhookEvent['data']['request_counts']>
>;
const body = JSON.stringify({
  type: 'batch.completed',
  data: { id: 'batch_1', request_counts: counts },
});
const sentAt = new Date(1_790_000_000_000);
const nowMs = sentAt.getTime() + 60_000;

function headers(signing: string, text = body): Record<string, string> {
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(sentAt.getTime() / 1_000),
    'webhook-signature': new Webhook(signing).sign('msg_1', sentAt, text),
  };
}

test('a signed message is its event; of several signatures one suffices', async (t) => {
  const event = await verifyWebhook(secret, { headers: headers(secret), body }, { nowMs });
  t.is(event.type, 'batch.completed');
  t.deepEqual(event.data.request_counts, counts);
  const older = `whsec_${Buffer.from('the secret of yesterday').toString('base64')}`;
  const both = new Headers(headers(older));
  both.set(
    'webhook-signature',
    `${both.get('webhook-signature')} ${headers(secret)['webhook-signature']}`,
  );
  const bytes = new TextEncoder().encode(body);
  t.is((await verifyWebhook(secret, { headers: both, body: bytes }, { nowMs })).data.id, 'batch_1');
});

test('a secret that is none verifies nothing, not even what an empty key signs', async (t) => {
  const base64 = (text: string) => `whsec_${Buffer.from(text).toString('base64')}`;
  const message = { headers: headers(secret), body };
  for (const none of ['', 'whsec_', 'whsec_!!!', base64('fifteen bytes..')]) {
    await t.throwsAsync(() => verifyWebhook(none, message, { nowMs }), {
      instanceOf: Error,
      message: 'the secret of webhooks is `whsec_` and base64 of at least 16 bytes',
    });
  }
});

test('what was changed, is old, or was signed by another secret is rejected', async (t) => {
  const other = `whsec_${Buffer.from('another secret').toString('base64')}`;
  const cases = [
    [{ headers: headers(secret), body: body.replace('_1', '_2') }, nowMs, /no signature/],
    [{ headers: headers(other), body }, nowMs, /no signature/],
    [{ headers: { ...headers(secret), 'webhook-id': 'msg_2' }, body }, nowMs, /no signature/],
    [{ headers: headers(secret), body }, nowMs + 300_000, /300 s off/],
    [{ headers: headers(secret), body }, nowMs - 400_000, /300 s off/],
    [{ headers: { 'webhook-id': 'msg_1' }, body }, nowMs, /is missing/],
    [{ headers: { ...headers(secret), 'webhook-signature': 'v1,?' }, body }, nowMs, /no signature/],
  ] as const;
  for (const [message, now, why] of cases) {
    await t.throwsAsync(() => verifyWebhook(secret, message, { nowMs: now }), {
      instanceOf: WebhookRejected,
      message: why,
    });
  }
});
