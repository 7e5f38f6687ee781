// The status of an answer, for the log, the metrics and the traces.
import type { ParameterizedContext } from 'koa';

/** A client that left before an answer began: no status was sent. The number is that of nginx. */
const clientLeft = 499;

/** @param ctx of a request that has been handled */
export function answeredStatus({
  res,
  status,
}: Pick<ParameterizedContext, 'res' | 'status'>): number {
  return res.destroyed && !res.headersSent ? clientLeft : status;
}
