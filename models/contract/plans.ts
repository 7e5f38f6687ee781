// The plans of accounts, one row each: how usage is paid for, and its limits. A new limit is a new
// member of `PlanRow`.

/** The defaults of an account; an operator may set other limits for it. */
export interface PlanRow {
  /** Minutes of a period, or dollars at the reference rates. */
  readonly paysWith: 'minutes' | 'credits';
  /** Minutes beyond those of the plan may be granted. */
  readonly overage: boolean;
  /** Models whose access is `paid-plan` are included. */
  readonly includesPaidModels: boolean;
  /** The error message once nothing is left. */
  readonly usedUp: string;
  /** Limits of a key that is created without limits of its own. */
  readonly key: KeyLimits;
  /** Limits of stored files. */
  readonly storage: StorageQuota;
}

/** Limits of one key, over all API processes. */
export interface KeyLimits {
  readonly requestsPerMinute: number;
  /** Uploads, answers and sockets held open at once. */
  readonly maxConcurrent: number;
}

export interface StorageQuota {
  readonly bytes: number;
  readonly files: number;
}

const gibibyte = 2 ** 30;
const key: KeyLimits = { requestsPerMinute: 3_000, maxConcurrent: 64 };

/** The names also appear in a constraint of the database, so a new plan needs a migration. */
export type Plan = 'trial' | 'subscription' | 'credits';

export const planRows: Readonly<Record<Plan, PlanRow>> = {
  trial: {
    paysWith: 'minutes',
    overage: false,
    includesPaidModels: false,
    usedUp: 'The trial minutes are used up, or reserved by what is in progress',
    key,
    storage: { bytes: 5 * gibibyte, files: 2_000 },
  },
  subscription: {
    paysWith: 'minutes',
    overage: true,
    includesPaidModels: true,
    usedUp: 'The plan minutes are used up, or reserved by what is in progress',
    key,
    storage: { bytes: 500 * gibibyte, files: 500_000 },
  },
  credits: {
    paysWith: 'credits',
    overage: false,
    includesPaidModels: false,
    usedUp: 'The credits are used up, or reserved by what is in progress',
    key,
    storage: { bytes: 100 * gibibyte, files: 100_000 },
  },
};

export const plans = Object.keys(planRows) as readonly Plan[];

/** Items of all batches that are kept, whatever the plan: rows cost the database, not the disk. */
export const maxKeptBatchItems = 2_000_000;
