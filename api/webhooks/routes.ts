// The signing secret of webhooks, and a call that tests a receiver.
import { randomUUID } from 'node:crypto';
import type Router from '@koa/router';
import type { Middleware, ParameterizedContext } from 'koa';
import { SecretUnreadable, type SecretBox } from '../../db/secret-box.ts';
import { rotateWebhookSecret, webhookSecrets } from '../../db/webhook-secrets.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import { authenticate } from '../http/middleware/authenticate.ts';
import { createFairGate } from '../../models/fairness/fair-gate.ts';
import { serverOnly } from '../http/middleware/server-only.ts';
import { readJson } from '../http/json.ts';
import { tooBusy } from '../http/key-limits.ts';
import type { Networks } from '../http/networks.ts';
import { noWebhookSecret, parseReceiver } from './receiver.ts';
import { ReceiverUnreachable, sendWebhook } from './send.ts';
import { webhookTestSchema } from './schemas.ts';
import type { RequestState } from '../http/request-state.ts';
import type { HttpDependencies } from '../http/dependencies.ts';

export interface WebhookDependencies extends HttpDependencies {
  /** Seals the secrets of webhooks; null without a key, when none can be created or used. */
  readonly secretBox: SecretBox | null;
  /** Private networks that webhooks may go to. */
  readonly webhookNetworks: Networks;
  /** Proxy for webhooks to the internet; null: they are sent directly. */
  readonly webhookProxy: string | null;
}

const maxBodyBytes = 4_096;
/** Concurrent tests: each holds a connection for as long as its receiver likes. */
const maxTests = 32;

export function webhookRoutes(
  router: Router<RequestState>,
  dependencies: WebhookDependencies,
): void {
  const { db } = dependencies;
  const account = authenticate(dependencies);
  router.post('/v1/webhooks/secret', account, serverOnly, async (ctx) => {
    const { organizationId, keyId: actor } = ctx.state.account;
    const by = { organizationId, actor };
    const secret = await rotateWebhookSecret(db, requireBox(dependencies), by);
    ctx.body = { object: 'webhook.secret', secret };
  });
  router.post('/v1/webhooks/test', account, serverOnly, testReceiver(dependencies));
}

/** @throws ServiceError not_ready when the service has no key to seal secrets with */
function requireBox({ secretBox }: WebhookDependencies): SecretBox {
  if (secretBox) return secretBox;
  const message = 'Webhooks are disabled: this service has no key to encrypt their secrets with.';
  throw new ServiceError('not_ready', message);
}

/** @throws ServiceError not_ready when none of the service's keys opens them */
async function readSecrets(
  dependencies: WebhookDependencies,
  organizationId: string,
): Promise<readonly string[]> {
  try {
    return await webhookSecrets(dependencies.db, requireBox(dependencies), organizationId);
  } catch (cause) {
    if (!(cause instanceof SecretUnreadable)) throw cause;
    const message = 'Webhooks are disabled: this service lacks the key of their secrets.';
    throw new ServiceError('not_ready', message, { cause });
  }
}

function testReceiver(dependencies: WebhookDependencies): Middleware<RequestState> {
  const { webhookNetworks: networks, webhookProxy: proxy } = dependencies;
  const gate = createFairGate(maxTests);
  const test = async (ctx: ParameterizedContext<RequestState>): Promise<void> => {
    const { url: text } = await readJson(dependencies, ctx, {
      schema: webhookTestSchema,
      maxBodyBytes,
    });
    const url = await parseReceiver(text, networks, 'url');
    const { organizationId } = ctx.state.account;
    const secrets = await readSecrets(dependencies, organizationId);
    if (secrets.length === 0) throw noWebhookSecret('url');
    const event = { type: 'webhook.test', timestamp: new Date().toISOString(), data: {} };
    const message = { id: `msg_${randomUUID()}`, url, secrets, event };
    const object = 'webhook.test';
    try {
      const { status } = await sendWebhook(message, { networks, proxy });
      ctx.body = { object, delivered: status >= 200 && status < 300, status, error: null };
    } catch (error) {
      if (!(error instanceof ReceiverUnreachable)) throw error;
      ctx.body = { object, delivered: false, status: null, error: error.message };
    }
  };
  return async (ctx) => {
    const slot = gate.tryAcquire(ctx.state.account.organizationId);
    if (!slot) throw tooBusy(`The service tests at most ${maxTests} receivers at once`);
    await test(ctx).finally(slot.release);
  };
}
