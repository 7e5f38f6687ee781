// A stack of its own for the suite, with an account of every kind that a case may need.
import { createKey } from '../../db/api-keys.ts';
import type { Db } from '../../db/database.ts';
import { decideAccess } from '../../db/model-access.ts';
import { changeTerms, setStorageQuota, setSuspended } from '../../db/organizations.ts';
import { startServices } from '../runner/services.ts';
import { collectCleanup } from '../support/cleanup.ts';
import { anAccount } from '../support/database.ts';
import { testStack, untilReady, type TestStack } from '../support/stack.ts';
import type { Target } from './service.ts';

const actor = 'conformance';
const limits = { requestsPerMinute: 100_000 };

export interface OwnDeployment {
  readonly target: Target;
  stop(): Promise<void>;
}

export async function ownDeployment(): Promise<OwnDeployment> {
  const cleanup = collectCleanup();
  const services = await startServices();
  cleanup.teardown(() => services.stop());
  Object.assign(process.env, services.environment);
  const stack = await testStack(cleanup, {
    ...{ patient: false, streams: true, answerDeadlineMs: 300_000 },
  });
  await untilReady(stack);
  return { target: await targetOf(stack), stop: () => cleanup.finish() };
}

function approve(db: Db, organizationId: string): Promise<unknown> {
  return decideAccess(db, { organizationId, model: 'svc-resonance-2', status: 'approved', actor });
}

export async function targetOf({ base, db }: TestStack): Promise<Target> {
  const main = await anAccount(db, { limits });
  const { organizationId } = main;
  const terms = { plan: 'subscription', allowanceSeconds: 36_000, overageSeconds: null } as const;
  await changeTerms(db, { organizationId, actor, termsAfter: () => terms });
  await approve(db, organizationId);
  const second = await createKey(db, { organizationId, mode: 'live', actor, limits });
  const suspended = await anAccount(db, { limits });
  await setSuspended(db, { organizationId: suspended.organizationId, suspended: true, actor });
  const full = await anAccount(db, { limits });
  const nothing = { bytes: 0, files: 0 };
  await setStorageQuota(db, { organizationId: full.organizationId, ...nothing, actor });
  const [other, empty, limited, small, minute, rate, trial, unapproved] = await Promise.all([
    anAccount(db, { limits }),
    anAccount(db, { limits, allowanceSeconds: 0 }),
    anAccount(db, { limits, allowanceSeconds: 6_000 }),
    anAccount(db, { limits, allowanceSeconds: 100 }),
    anAccount(db, { limits, allowanceSeconds: 60 }),
    anAccount(db, { limits: { requestsPerMinute: 1 } }),
    anAccount(db, { limits, plan: 'trial' }),
    anAccount(db, { limits, allowanceSeconds: 60 }),
  ]);
  await approve(db, minute.organizationId);
  return {
    base,
    key: main.key,
    keys: {
      other: other.key,
      second: second.key,
      empty: empty.key,
      limited: limited.key,
      small: small.key,
      minute: minute.key,
      rate: rate.key,
      full: full.key,
      suspended: suspended.key,
      trial: trial.key,
      unapproved: unapproved.key,
    },
  };
}
