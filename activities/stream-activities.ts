// Activities that end sessions and streams. Any worker can run them, so a lost worker leaves
// nothing open.
import { closeSession } from '../db/sessions.ts';
import type { StreamActivities } from '../workflows/activities.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { recordFailure } from './record-failure.ts';
import { runActivity } from './run-activity.ts';

const message = 'The stream was lost before it was finished; try again.';

export function createStreamActivities(
  dependencies: Pick<ActivityDependencies, 'db' | 'metrics'>,
): StreamActivities {
  const { db } = dependencies;
  return {
    closeSession: ({ organizationId, sessionId }) =>
      runActivity(() => closeSession(db, organizationId, sessionId)),
    /**
     * Releases the reservation of a stream whose worker has ended; as of every request that the
     * service loses, its id may be tried again. A worker that is only cut off cannot charge it any
     * more, because it is not running.
     */
    endStream: (stream) =>
      runActivity(() =>
        recordFailure(dependencies, stream, { code: 'internal_error', message, param: null }),
      ),
  };
}
