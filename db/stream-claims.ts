// Claims the request id of a stream, before there is any audio.
import { createHash } from 'node:crypto';
import type { Claim } from './claim-decision.ts';
import type { Db } from './database.ts';
import { claimRequest, type ClaimOptions } from './requests.ts';

export type StreamClaim = Pick<
  ClaimOptions,
  'organizationId' | 'requestId' | 'keyId' | 'task' | 'model' | 'ratePerMinute'
>;

/** The fingerprint covers task, model and key (contract.md). */
export function claimStream(db: Db, claim: StreamClaim): Promise<Claim> {
  const { organizationId, requestId, keyId, task, model, ratePerMinute } = claim;
  const parts = JSON.stringify(['stream', task, model, keyId]);
  const fingerprint = createHash('sha256').update(parts).digest('hex');
  const named = { organizationId, requestId, keyId, task, model, ratePerMinute };
  return claimRequest(db, { ...named, fingerprint, uploadKey: '' });
}
