// Models that are loaded when they are first used, and released when they have been idle.
import type { Scoped } from '../onnx/session-scope.ts';

/**
 * What only some requests need is released when none has needed it for so long. Loading it again
 * costs the next one 0.5 s (speakers) or 0.3 s (other languages) of its core.
 */
export const modelIdleMs = 5 * 60_000;

export interface OnDemand<T> {
  /** Loads first where needed; concurrent uses share one load, and a failed load is repeated. */
  use<R>(work: (loaded: T) => Promise<R>): Promise<R>;
}

/**
 * Nothing is loaded before the first use, and nothing is kept once there has been no use for
 * `idleMs`.
 */
export function onDemand<T>(load: () => Promise<Scoped<T>>, idleMs: number): OnDemand<T> {
  let loading: Promise<Scoped<T>> | null = null;
  let uses = 0;
  let idle: NodeJS.Timeout | undefined;

  const loadOnce = (): Promise<Scoped<T>> => {
    const started = (loading ??= load());
    started.catch(() => {
      if (loading === started) loading = null;
    });
    return started;
  };
  const release = (): void => {
    const loaded = loading;
    loading = null;
    // A load that failed has nothing to release.
    loaded?.then(
      (scoped) => scoped.release(),
      () => {},
    );
  };
  return {
    async use(work) {
      clearTimeout(idle);
      uses += 1;
      try {
        const { value } = await loadOnce();
        return await work(value);
      } finally {
        uses -= 1;
        if (uses === 0) idle = setTimeout(release, idleMs).unref();
      }
    },
  };
}
