// Maps the end of a workflow without a result to an error that the caller may see.
import {
  ApplicationFailure,
  CancelledFailure,
  type WorkflowFailedError,
  type WorkflowNotFoundError,
} from '@temporalio/client';
import { ServiceError, isErrorCode } from '../../models/contract/errors.ts';
import type { RefusedRecording } from '../../workflows/types.ts';

/** The workflow was terminated or deleted, or is over: it may not have ended its request. */
export class WorkflowLost extends ServiceError {}

interface FailureDetails {
  readonly param?: string | null;
  readonly retryAfterSeconds?: number;
}

/** The refusal that the workflow of a recording has ended with. */
export function fromRefusal({ refusal: { code, message, param } }: RefusedRecording): ServiceError {
  const known = isErrorCode(code) ? code : 'audio_undecodable';
  return new ServiceError(known, message, { param: param ?? undefined });
}

/** The code that an activity gave, searched along the causes; otherwise a server error. */
export function fromWorkflowFailure(
  error: WorkflowFailedError | WorkflowNotFoundError,
): ServiceError {
  for (let cause: unknown = error.cause; cause instanceof Error; cause = cause.cause) {
    if (!(cause instanceof ApplicationFailure) || !isErrorCode(cause.type)) continue;
    const [details] = (cause.details ?? []) as readonly (FailureDetails | undefined)[];
    return new ServiceError(cause.type, cause.message, {
      param: details?.param ?? undefined,
      retryAfterSeconds: details?.retryAfterSeconds,
      cause,
    });
  }
  const how = error.cause instanceof CancelledFailure ? 'cancelled' : 'terminated';
  const message = `The analysis was ${how} before it finished; send the request again.`;
  return new WorkflowLost('internal_error', message, { cause: error });
}
