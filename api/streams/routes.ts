// A plain GET on a stream's path is answered that it needs an upgrade (RFC 9110, 15.5.22).
import type Router from '@koa/router';
import { ServiceError } from '../../models/contract/errors.ts';
import type { RequestState } from '../http/request-state.ts';
import { streamPaths } from '../../models/contract/streams.ts';

export function streamRoutes(router: Router<RequestState>): void {
  for (const path of Object.values(streamPaths)) {
    router.get(path, (ctx) => {
      // Without `close` Node would keep the connection, also where the client asked for its end.
      ctx.set({ Upgrade: 'websocket', Connection: 'Upgrade, close' });
      throw new ServiceError(
        'upgrade_required',
        'This path is a WebSocket; send an upgrade request.',
      );
    });
  }
}
