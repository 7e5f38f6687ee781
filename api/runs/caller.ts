// Who asks for a run, and under which id: what the middleware found.
import type { RequestState } from '../dependencies.ts';
import type { RecordingRequest } from './runs.ts';

export function callerOf({
  requestId,
  account,
}: RequestState): Pick<RecordingRequest, 'organizationId' | 'keyId' | 'requestId'> {
  const { organizationId, keyId } = account;
  return { organizationId, keyId, requestId };
}
