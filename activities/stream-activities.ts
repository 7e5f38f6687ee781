// Activities that end sessions and streams. Any worker can run them, so a lost worker leaves
// nothing open.
import type { Db } from '../db/database.ts';
import { failRequest } from '../db/requests.ts';
import { closeSession } from '../db/sessions.ts';
import type { StreamActivities } from '../workflows/activities.ts';
import { runActivity } from './run-activity.ts';

const message = 'The stream was lost before it was finished; try again.';

export function createStreamActivities({ db }: { readonly db: Db }): StreamActivities {
  return {
    closeSession: ({ organizationId, sessionId }) =>
      runActivity(() => closeSession(db, organizationId, sessionId)),
    /**
     * Releases the reservation of a stream whose worker has ended; as of every request that the
     * service loses, its id may be tried again. A worker that is only cut off cannot charge it any
     * more, because it is not running.
     */
    endStream: (stream) =>
      runActivity(() => failRequest(db, stream, { code: 'internal_error', message, param: null })),
  };
}
