// Who requests a run, and under which id, as the middleware determined it.
import type { RequestState } from '../http/request-state.ts';
import type { RunRequest } from './run-request.ts';
import type { BundlesInUse } from '../../models/bundles/catalog.ts';
import type { UploadDependencies } from '../upload/receive.ts';
import type { Runs } from './runs.ts';

/** The dependencies of an endpoint that accepts a recording and runs it. */
export interface RunDependencies extends UploadDependencies {
  readonly runs: Runs;
  readonly bundles: BundlesInUse;
}

export function callerOf({
  requestId,
  account,
}: RequestState): Pick<
  RunRequest,
  'organizationId' | 'keyId' | 'requestId' | 'redaction' | 'vocabulary'
> {
  const { organizationId, keyId, redaction, vocabulary } = account;
  return { organizationId, keyId, requestId, redaction, vocabulary };
}
