// The open streams of this process by request, for the workflow that holds each of them.
import type { RequestRef } from '../../db/request-ref.ts';
import type { StreamOutcome } from '../../workflows/types.ts';

export interface StreamRegistry {
  /** Registers a stream before its workflow starts. */
  add(stream: RegisteredStream): void;
  remove(stream: RegisteredStream): void;
  find(ref: RequestRef): RegisteredStream | null;
}

export interface RegisteredStream {
  readonly ref: RequestRef;
  /** Resolves when the request has its final state; rejects when that could not be written. */
  readonly ended: Promise<StreamOutcome>;
  /** Called when its workflow has got as far as to hold it. */
  hold(): void;
  /** Ends it from outside, when an operator has cancelled its workflow. */
  cancel(): void;
}

export function createStreamRegistry(): StreamRegistry {
  const streams = new Map<string, RegisteredStream>();
  const idOf = ({ organizationId, requestId, attempt }: RequestRef): string =>
    `${organizationId} ${requestId} ${attempt}`;
  return {
    add: (stream) => void streams.set(idOf(stream.ref), stream),
    remove: (stream) => void streams.delete(idOf(stream.ref)),
    find: (ref) => streams.get(idOf(ref)) ?? null,
  };
}
