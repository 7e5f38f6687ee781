// Claims the request id of a stream, before there is any audio.
import type { Claim } from '../../db/claim-decision.ts';
import type { Db } from '../../db/database.ts';
import { claimRequest, type ClaimOptions } from '../../db/requests.ts';
import { fingerprintOf } from './fingerprint.ts';

export type StreamClaim = Omit<ClaimOptions, 'fingerprint' | 'uploadKey' | 'repeats'>;

/** The fingerprint covers task, model and key (contract.md). */
export function claimStream(db: Db, claim: StreamClaim): Promise<Claim> {
  const { organizationId, requestId, keyId, task, model, ratePerMinute } = claim;
  const fingerprint = fingerprintOf(['stream', task, model, keyId]);
  const named = { organizationId, requestId, keyId, task, model, ratePerMinute };
  return claimRequest(db, { ...named, fingerprint, uploadKey: '' });
}
