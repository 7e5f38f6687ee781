// The activity that stands for an open socket: it lasts as long as the stream does.
import { Context } from '@temporalio/activity';
import type { HostActivities } from '../workflows/activities.ts';
import type { StreamInput, StreamOutcome } from '../workflows/types.ts';
import { runActivity } from './run-activity.ts';

/** A stream of this process, as its workflow sees it. */
export interface HeldStream {
  /** Resolves when the request has its final state. */
  readonly ended: Promise<StreamOutcome>;
  /** Ends it from outside: an operator cancelled its workflow. */
  cancel(): void;
}

/** The stream that a workflow asks for, while its socket is open. */
export type FindStream = (
  key: Pick<StreamInput, 'organizationId' | 'requestId' | 'attempt'>,
) => HeldStream | null;

export function createHostActivities(findStream: FindStream): HostActivities {
  return {
    holdStream: (input) =>
      runActivity(async ({ signal }) => {
        const stream = findStream(input);
        // It ended before its workflow had come so far; the row says how.
        if (!stream) return 'ended';
        signal.addEventListener('abort', () => stream.cancel());
        Context.current().heartbeat();
        return stream.ended;
      }),
  };
}
