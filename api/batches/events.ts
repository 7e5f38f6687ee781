// Progress of a batch as server-sent events: the batch whenever it has changed, until it has ended.
import { once } from 'node:events';
import { createSession } from 'better-sse';
import type { ParameterizedContext } from 'koa';
import type { StoredBatch } from '../../db/batch-tables.ts';
import type { RequestState } from '../http/request-state.ts';
import type { BatchFeed } from './feed.ts';

/** The delay after which clients that lost the connection reconnect. */
const retryMs = 1_000;
/** The interval of comments that detect closed connections. */
const heartbeatMs = 10_000;

/**
 * HEAD is answered with the headers alone and takes no subscription.
 * @throws ServiceError rate_limited beyond the limits of subscriptions
 */
export async function streamBatch(
  ctx: ParameterizedContext<RequestState>,
  feed: BatchFeed,
  batch: StoredBatch,
): Promise<void> {
  const { res } = ctx;
  if (ctx.method === 'HEAD') {
    ctx.set('Content-Type', 'text/event-stream');
    ctx.status = 200;
    return;
  }
  const end = (): void => void res.end();
  const subscription = feed.subscribe(ctx.state.account, end);
  try {
    // A client may have left while its batch was looked up; its connection does not close twice.
    if (res.closed || res.destroyed) return;
    const over = once(res, 'close');
    ctx.respond = false;
    res.statusCode = 200;
    const options = { retry: retryMs, keepAlive: heartbeatMs };
    const session = await createSession(ctx.req, res, options);
    subscription.start(batch, (body) => {
      if (session.isConnected) session.push(body, 'batch', String(Date.now()));
    });
    await over;
  } finally {
    subscription.unsubscribe();
  }
}
