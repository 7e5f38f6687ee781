// The activity that stands for an open socket: it lasts as long as the stream does.
import { Context } from '@temporalio/activity';
import type { RequestRef } from '../db/request-ref.ts';
import type { StreamInput, StreamOutcome } from '../workflows/types.ts';
import { runActivity } from './run-activity.ts';

/** The streams of this process that a workflow asks for. */
export interface StreamRegistry {
  /** Makes a stream known before its workflow starts. */
  add(stream: HeldStream): void;
  remove(stream: HeldStream): void;
  find(key: RequestRef): HeldStream | null;
}

export interface HeldStream {
  readonly key: RequestRef;
  /** Resolves when the request has its final state. */
  readonly ended: Promise<StreamOutcome>;
  /** Ends it from outside: an operator cancelled its workflow. */
  cancel(): void;
}

export function createStreamRegistry(): StreamRegistry {
  const streams = new Map<string, HeldStream>();
  const idOf = ({ organizationId, requestId, attempt }: RequestRef): string =>
    `${organizationId} ${requestId} ${attempt}`;
  return {
    add: (stream) => void streams.set(idOf(stream.key), stream),
    remove: (stream) => void streams.delete(idOf(stream.key)),
    find: (key) => streams.get(idOf(key)) ?? null,
  };
}

// The return type is inferred: it is what the workflows' proxies are typed with.
export function createHostActivities(registry: StreamRegistry) {
  return {
    holdStream: (input: StreamInput): Promise<StreamOutcome> =>
      runActivity(async ({ signal }) => {
        const stream = registry.find(input);
        // It ended before its workflow had come so far; the row says how.
        if (!stream) return 'ended';
        signal.addEventListener('abort', () => stream.cancel());
        Context.current().heartbeat();
        return stream.ended;
      }),
  };
}
