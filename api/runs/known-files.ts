// Files that are refused without a workflow: they have killed a decoder before, or their
// organization has decoded too much for nothing.
import { decodeStatus, failedDecodeBudget } from '../../db/decodes.ts';
import type { Db } from '../../db/database.ts';
import { failRequest, unclaimRequest } from '../../db/requests.ts';
import type { RequestRef } from '../../db/request-ref.ts';
import { budgetError, verdictError } from '../../models/contract/decode-errors.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import { createRecentSet } from '../../models/fairness/recent-set.ts';

export interface KnownFiles {
  /**
   * The refusal of a file, or null. It asks the database only where a file of the organization was
   * refused by this process before, so that nobody else pays for it.
   * @param sha256 of its bytes, hex
   */
  errorOf(organizationId: string, sha256: string): Promise<ServiceError | null>;
  /** Hears how a run failed. */
  failed(organizationId: string, error: unknown): void;
}

/** The oldest are forgotten, and heard of again with their next failure. */
const maxSuspects = 10_000;

export function createKnownFiles(db: Db): KnownFiles {
  const suspects = createRecentSet(maxSuspects);
  return {
    errorOf: async (organizationId, sha256) => {
      if (!suspects.has(organizationId)) return null;
      const contents = [`sha256:${sha256}`];
      const { verdict, waitSeconds } = await decodeStatus(db, organizationId, contents);
      if (verdict) return verdictError(verdict);
      return waitSeconds === null ? null : budgetError(failedDecodeBudget, waitSeconds);
    },
    failed: (organizationId, error) => {
      if (!(error instanceof ServiceError) || error.code !== 'audio_undecodable') return;
      suspects.add(organizationId);
    },
  };
}

/**
 * Ends a run that was not begun, as its workflow would have: contract.md leaves the id of what has
 * to wait unused.
 * @throws the error
 */
export async function endUnstarted(db: Db, ref: RequestRef, error: ServiceError): Promise<never> {
  const { code, message, param } = error;
  if (code === 'rate_limited') await unclaimRequest(db, ref);
  else await failRequest(db, ref, { code, message, param });
  throw error;
}
