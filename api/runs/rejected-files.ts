// Files that are rejected before a workflow starts: they have crashed a decoder before, or their
// organization has used up its budget for failed decodes.
import { decodeStatus, failedDecodeBudget } from '../../db/decodes.ts';
import type { Db } from '../../db/database.ts';
import { failRequest, unclaimRequest } from '../../db/requests.ts';
import type { ClaimRef } from '../../db/request-ref.ts';
import { budgetError, verdictError } from '../../models/contract/decode-errors.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import { createRecentSet } from '../../models/concurrency/recent-set.ts';

export interface RejectedFiles {
  /**
   * The error of a file that is rejected, or null. The database is queried only for organizations
   * with a recent failure in this process, so that all others save the round trip. When it fails,
   * the worker decides: the id is claimed by now, and an error would leave it in progress.
   * @param sha256 of its bytes, hex
   */
  errorOf(organizationId: string, sha256: string): Promise<ServiceError | null>;
  /** Notes the error of a failed run. */
  recordFailure(organizationId: string, error: unknown): void;
}

/** The least recent are evicted, and return with their next failure. */
const maxSuspects = 10_000;

export function createRejectedFiles(db: Db): RejectedFiles {
  const suspects = createRecentSet(maxSuspects);
  return {
    errorOf: async (organizationId, sha256) => {
      if (!suspects.has(organizationId)) return null;
      const contents = [`sha256:${sha256}`];
      const status = await decodeStatus(db, organizationId, contents).catch(() => null);
      if (!status) return null;
      const { verdict, waitSeconds } = status;
      if (verdict) return verdictError(verdict);
      return waitSeconds === null ? null : budgetError(failedDecodeBudget, waitSeconds);
    },
    recordFailure: (organizationId, error) => {
      if (!(error instanceof ServiceError) || error.code !== 'audio_undecodable') return;
      suspects.add(organizationId);
    },
  };
}

/**
 * Ends a run before its workflow starts, with the outcome that the workflow would have had:
 * contract.md leaves the id of a request that has to wait unused.
 * @throws the error
 */
export async function endUnstarted(db: Db, ref: ClaimRef, error: ServiceError): Promise<never> {
  const { code, message, param } = error;
  if (code === 'rate_limited') await unclaimRequest(db, ref);
  else await failRequest(db, ref, { code, message, param });
  throw error;
}
