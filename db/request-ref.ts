// Identifies one run of a request id.

/** A step of an older attempt never affects a newer one. */
export interface RequestRef {
  readonly organizationId: string;
  readonly requestId: string;
  readonly attempt: number;
}

/** The columns that identify an attempt, in `requests` and in the ledger. */
export function attemptKey({ organizationId, requestId, attempt }: RequestRef) {
  return { organizationId, requestId, attempt };
}
