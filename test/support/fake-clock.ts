// Timers of this process under a clock that a test advances. node:test has mock timers too, but
// their `refresh` does nothing.
import type { ExecutionContext } from 'ava';

interface FakeTimer {
  dueMs: number;
  readonly afterMs: number;
  readonly call: () => void;
}

/** Replaces `setTimeout` until the test ends. @returns a function that advances the clock */
export function fakeClock(t: ExecutionContext): (ms: number) => void {
  const { setTimeout, clearTimeout } = globalThis;
  const timers = new Set<FakeTimer>();
  let nowMs = 0;
  const start = (call: () => void, afterMs: number) => {
    const timer: FakeTimer = { dueMs: nowMs + afterMs, afterMs, call };
    timers.add(timer);
    const handle = {
      refresh: () => {
        if (timers.has(timer)) timer.dueMs = nowMs + afterMs;
        return handle;
      },
      unref: () => handle,
      clear: () => timers.delete(timer),
    };
    return handle;
  };
  // Connections that were opened before have timers of the real clock; some libraries use numbers.
  const stop = (handle?: ReturnType<typeof start> | NodeJS.Timeout | number): void => {
    if (typeof handle === 'object' && 'clear' in handle) handle.clear();
    else clearTimeout(handle);
  };
  Object.assign(globalThis, { setTimeout: start, clearTimeout: stop });
  t.teardown(() => Object.assign(globalThis, { setTimeout, clearTimeout }));
  return (ms) => {
    const untilMs = nowMs + ms;
    for (;;) {
      const next = [...timers].toSorted((a, b) => a.dueMs - b.dueMs)[0];
      if (!next || next.dueMs > untilMs) break;
      nowMs = next.dueMs;
      timers.delete(next);
      next.call();
    }
    nowMs = untilMs;
  };
}
