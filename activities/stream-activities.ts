// Ends of sessions and streams: any worker can do them, so that a lost one leaves nothing open.
import type { Db } from '../db/database.ts';
import { closeRequest } from '../db/requests.ts';
import { closeSession } from '../db/sessions.ts';
import type { StreamActivities } from '../workflows/activities.ts';
import { runActivity } from './run-activity.ts';

export function createStreamActivities({ db }: { readonly db: Db }): StreamActivities {
  return {
    closeSession: ({ organizationId, sessionId }) =>
      runActivity(() => closeSession(db, organizationId, sessionId)),
    /** A stream whose worker is gone: its reservation goes back. */
    endStream: (stream) => runActivity(() => closeRequest(db, stream)),
  };
}
