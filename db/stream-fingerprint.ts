// The fingerprint of a stream's request: its audio is not there yet when it is claimed.
import { createHash } from 'node:crypto';

/** sha256 in hex over task, model and key (contract.md). */
export function streamFingerprint(task: string, model: string, keyId: string): string {
  return createHash('sha256')
    .update(JSON.stringify(['stream', task, model, keyId]))
    .digest('hex');
}
