// The activity that represents an open socket: it lasts as long as the stream does.
import { Context } from '@temporalio/activity';
import type { HostActivities } from '../workflows/activities.ts';
import type { StreamInput, StreamOutcome } from '../workflows/types.ts';
import { runActivity } from './run-activity.ts';

/** A stream of this process, as its workflow sees it. */
export interface HeldStream {
  /** Resolves when the request has its final state; rejects when that could not be written. */
  readonly ended: Promise<StreamOutcome>;
  /** Called once its workflow holds it. */
  hold(): void;
  /** Ends the stream because an operator cancelled its workflow. */
  cancel(): void;
}

/** Finds the stream of a workflow while its socket is open. */
export type FindStream = (
  ref: Pick<StreamInput, 'organizationId' | 'requestId' | 'attempt'>,
) => HeldStream | null;

export function createHostActivities(findStream: FindStream): HostActivities {
  return {
    holdStream: (input) =>
      runActivity(async ({ signal }) => {
        const stream = findStream(input);
        // The stream ended before its workflow got here; its row holds the outcome.
        if (!stream) return 'ended';
        stream.hold();
        signal.addEventListener('abort', () => stream.cancel());
        Context.current().heartbeat();
        return stream.ended;
      }),
  };
}
