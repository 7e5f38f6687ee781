// Progress of a batch as server-sent events: the batch whenever it has changed, until it has ended.
import { setTimeout as sleep } from 'node:timers/promises';
import { createSession } from 'better-sse';
import type { ParameterizedContext } from 'koa';
import type { RequestState } from '../dependencies.ts';
import type { BatchBody } from '../wire/batch-schemas.ts';

const intervalMs = 1_000;
const ends: readonly BatchBody['status'][] = ['completed', 'failed', 'cancelled'];

/** @param read the batch as it stands; null when it is gone, which ends the stream */
export async function streamBatch(
  ctx: ParameterizedContext<RequestState>,
  read: () => Promise<BatchBody | null>,
): Promise<void> {
  ctx.respond = false;
  ctx.res.statusCode = 200;
  const session = await createSession(ctx.req, ctx.res, { retry: intervalMs });
  let last = '';
  while (session.isConnected) {
    // A database that is away for a moment is asked again.
    const batch = await read().catch(() => undefined);
    if (batch === null) break;
    const { estimated_completion_at: _, ...steady } = batch ?? {};
    const seen = JSON.stringify(steady);
    if (batch && seen !== last) session.push(batch, 'batch', String(Date.now()));
    last = batch ? seen : last;
    if (batch && ends.includes(batch.status)) break;
    await sleep(intervalMs);
  }
  ctx.res.end();
}
