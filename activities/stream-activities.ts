// Ends of sessions and streams: any worker can do them, so that a lost one leaves nothing open.
import type { Db } from '../db/database.ts';
import { closeRequest } from '../db/requests.ts';
import { closeSession } from '../db/sessions.ts';
import type { PreparedSessionInput, StreamInput } from '../workflows/types.ts';
import { runActivity } from './run-activity.ts';

// The return type is inferred: it is what the workflows' proxies are typed with.
export function createStreamActivities({ db }: { readonly db: Db }) {
  return {
    closeSession: ({ organizationId, sessionId }: PreparedSessionInput) =>
      runActivity(() => closeSession(db, organizationId, sessionId)),
    /** A stream whose worker is gone: its reservation goes back. */
    endStream: (stream: StreamInput) => runActivity(() => closeRequest(db, stream)),
  };
}
