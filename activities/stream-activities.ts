// Activities that end sessions and streams. Any worker can run them, so a lost worker leaves
// nothing open.
import type { Db } from '../db/database.ts';
import { closeRequest } from '../db/requests.ts';
import { closeSession } from '../db/sessions.ts';
import type { StreamActivities } from '../workflows/activities.ts';
import { runActivity } from './run-activity.ts';

export function createStreamActivities({ db }: { readonly db: Db }): StreamActivities {
  return {
    closeSession: ({ organizationId, sessionId }) =>
      runActivity(() => closeSession(db, organizationId, sessionId)),
    /** Releases the reservation of a stream whose worker has ended. */
    endStream: (stream) => runActivity(() => closeRequest(db, stream)),
  };
}
