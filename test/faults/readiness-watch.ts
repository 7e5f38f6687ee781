// Polls GET /readyz: when the service said that it was not ready, and why.
import { setTimeout as sleep } from 'node:timers/promises';
import type { History } from './history.ts';

export interface ReadinessChange {
  /** Milliseconds, by the caller's clock. */
  readonly at: number;
  /** `ready`, the message of the 503, or `no answer`. */
  readonly state: string;
}

export interface ReadinessWatch {
  readonly changes: readonly ReadinessChange[];
  /** Resolves when the state matches; false when it does not within the time of an idle machine. */
  until(pattern: RegExp, limitMs: number): Promise<boolean>;
  stop(): Promise<void>;
}

const everyMs = 250;
const answerLimitMs = 8_000;

export function watchReadiness(
  base: () => string,
  { now, slowness }: Pick<History, 'now' | 'slowness'>,
): ReadinessWatch {
  const changes: ReadinessChange[] = [];
  let stopped = false;
  const watching = (async () => {
    while (!stopped) {
      const state = await ask(base());
      if (changes.at(-1)?.state !== state) changes.push({ at: now(), state });
      await sleep(everyMs);
    }
  })();
  return {
    changes,
    async until(pattern, limitMs) {
      const end = performance.now() + limitMs * slowness();
      while (!pattern.test(changes.at(-1)?.state ?? '')) {
        if (performance.now() > end) return false;
        await sleep(everyMs);
      }
      return true;
    },
    stop: async () => {
      stopped = true;
      await watching;
    },
  };
}

async function ask(base: string): Promise<string> {
  try {
    const response = await fetch(`${base}/readyz`, { signal: AbortSignal.timeout(answerLimitMs) });
    const body = (await response.json()) as { readonly error?: { readonly message: string } };
    return body.error?.message ?? 'ready';
  } catch {
    return 'no answer';
  }
}
