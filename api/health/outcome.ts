// How a check of readiness ended, and the log of those that end otherwise than the time before.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

export interface Outcome {
  /** `ok`, or what is wrong: so short that answers reveal no addresses or internals. */
  readonly state: string;
  /** For the log alone. */
  readonly cause?: unknown;
}

/** @param limitMs after which the state is `timeout` */
export async function outcomeOf(check: Promise<unknown>, limitMs: number): Promise<Outcome> {
  const limit = new AbortController();
  const late = sleep(limitMs, { state: 'timeout' }, { signal: limit.signal }).catch(() => ({
    state: 'timeout',
  }));
  const done = check.then(
    () => ({ state: 'ok' }),
    (cause: unknown) => ({ state: 'failed', cause }),
  );
  const result = await Promise.race([done, late]);
  limit.abort();
  return result;
}

/** Logs each check that fails with its cause, once until it fails otherwise or succeeds again. */
export function createChangeLog(
  logger: Pick<Logger, 'info' | 'warn'>,
): (outcomes: Readonly<Record<string, Outcome>>) => void {
  const told = new Map<string, string>();
  return (outcomes) => {
    for (const [check, outcome] of Object.entries(outcomes)) {
      const now = kindOf(outcome);
      const before = told.get(check) ?? 'ok';
      told.set(check, now);
      if (now === before) continue;
      const { state, cause } = outcome;
      if (state === 'ok') logger.info({ check }, 'ready again');
      else logger.warn({ check, state, err: cause }, 'not ready');
    }
  };
}

/** Without the message, which may differ each time: by the port of a connection, by an id. */
function kindOf({ state, cause }: Outcome): string {
  const { name = '', code = '' } = (cause ?? {}) as { readonly name?: string; code?: unknown };
  return [state, name, code].join(' ').trim();
}
