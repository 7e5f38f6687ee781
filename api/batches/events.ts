// Progress of a batch as server-sent events: the batch whenever it has changed, until it has ended.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createSession } from 'better-sse';
import type { ParameterizedContext } from 'koa';
import type { StoredBatch } from '../../db/batch-tables.ts';
import { isFinal } from '../../models/contract/batch-status.ts';
import type { RequestState } from '../http/request-state.ts';
import type { BatchFeed } from './feed.ts';
import type { BatchBody } from './schemas.ts';

/** The delay after which clients that lost the connection reconnect. */
const retryMs = 1_000;
/**
 * The id of the last event. Clients reconnect after an end as after a break, with the id of what
 * they have read: 204 tells them to stop (HTML, server-sent events).
 */
const endedId = 'ended';
/** The interval of comments that detect closed connections. */
const heartbeatMs = 10_000;

/**
 * HEAD is answered with the headers alone and takes no subscription; 204 says that all was read.
 * @throws ServiceError rate_limited beyond the limits of subscriptions
 */
export async function streamBatch(
  ctx: ParameterizedContext<RequestState>,
  feed: Pick<BatchFeed, 'subscribe'>,
  batch: StoredBatch,
): Promise<void> {
  const { res } = ctx;
  if (ctx.method === 'HEAD') {
    ctx.set('Content-Type', 'text/event-stream');
    ctx.status = 200;
    return;
  }
  if (isFinal(batch.status) && ctx.get('Last-Event-ID') === endedId) {
    ctx.status = 204;
    return;
  }
  const events = createEvents(res);
  const subscription = feed.subscribe(ctx.state.account, events.end);
  let heartbeat: NodeJS.Timeout | undefined;
  try {
    // A client may have left while its batch was looked up; its connection does not close twice.
    if (res.closed || res.destroyed) return;
    const over = once(res, 'close');
    ctx.respond = false;
    res.statusCode = 200;
    // Its own heartbeats would go on until the client has read the end, and be written behind it.
    const session = await createSession(ctx.req, res, { retry: retryMs, keepAlive: null });
    events.open((body) => {
      const id = isFinal(body.status) ? endedId : String(Date.now());
      if (session.isConnected) session.push(body, 'batch', id);
    });
    heartbeat = setInterval(events.beat, heartbeatMs);
    subscription.start(batch, events.send);
    await over;
  } finally {
    clearInterval(heartbeat);
    subscription.unsubscribe();
  }
}

/**
 * What is written to one client. While it reads too slowly the states that it misses are left out:
 * the newest says everything, and the others would wait in memory. Nothing is written behind the
 * end, which a client that does not read leaves open for a while.
 */
function createEvents(res: ServerResponse) {
  let push: (body: BatchBody) => void = () => {};
  let newest: BatchBody | null = null;
  const flush = (): void => {
    if (newest === null || res.writableEnded) return;
    push(newest);
    newest = null;
  };
  return {
    open: (write: typeof push): void => {
      push = write;
      res.on('drain', flush);
    },
    send: (body: BatchBody): void => {
      newest = body;
      if (!res.writableNeedDrain) flush();
    },
    beat: (): void => {
      if (!res.writableEnded && !res.writableNeedDrain) res.write(':\n\n');
    },
    end: (): void => {
      flush();
      res.end();
    },
  };
}
