// A plain GET on a stream's path is answered that it needs an upgrade (RFC 9110, 15.5.22).
import type Router from '@koa/router';
import { ServiceError } from '../../models/contract/errors.ts';
import type { RequestState } from '../http/request-state.ts';
import { streamPaths } from '../../models/contract/streams.ts';

export function streamRoutes(router: Router<RequestState>): void {
  for (const path of Object.values(streamPaths)) {
    router.get(path, (ctx) => {
      // Node adds no `close` to a value of ours, and would keep a connection that is to end.
      const connection = ctx.res.shouldKeepAlive ? 'Upgrade' : 'Upgrade, close';
      ctx.set({ Upgrade: 'websocket', Connection: connection });
      throw new ServiceError(
        'upgrade_required',
        'This path is a WebSocket; send an upgrade request.',
      );
    });
  }
}
