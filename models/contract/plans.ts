// The plans of accounts, a row each: what pays, and what may be done. A new limit is a member here.

/** What an account that nobody has set anything else for may do. */
export interface PlanRow {
  /** Minutes of a period, or dollars at the reference rates. */
  readonly paysWith: 'minutes' | 'credits';
  /** Minutes beyond those of the plan may be granted. */
  readonly overage: boolean;
  /** Models whose access is `paid-plan` are included. */
  readonly includesPaidModels: boolean;
  /** What an account without anything left is told. */
  readonly usedUp: string;
  /** Of a key that is made without limits of its own. */
  readonly key: KeyLimits;
  /** What files may take up. */
  readonly storage: StorageQuota;
}

/** Of one key, over all API processes. */
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

/** The names stand in a constraint of the schema too: a new plan is a migration as well. */
export type Plan = 'trial' | 'subscription' | 'credits';

export const planRows: Readonly<Record<Plan, PlanRow>> = {
  trial: {
    paysWith: 'minutes',
    overage: false,
    includesPaidModels: false,
    usedUp: 'The trial minutes are used up',
    key,
    storage: { bytes: 5 * gibibyte, files: 2_000 },
  },
  subscription: {
    paysWith: 'minutes',
    overage: true,
    includesPaidModels: true,
    usedUp: 'The plan minutes are used up',
    key,
    storage: { bytes: 500 * gibibyte, files: 500_000 },
  },
  credits: {
    paysWith: 'credits',
    overage: false,
    includesPaidModels: false,
    usedUp: 'The credits are used up',
    key,
    storage: { bytes: 100 * gibibyte, files: 100_000 },
  },
};

export const plans = Object.keys(planRows) as readonly Plan[];

/** Items of all batches that are kept, whatever the plan: rows cost the database, not the disk. */
export const maxKeptBatchItems = 2_000_000;
