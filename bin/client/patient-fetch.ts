// `fetch` of commands that run for long: it waits while the service is exchanged for another
// version, or a part of it that it needs is restarted.
import { setTimeout as sleep } from 'node:timers/promises';

export interface PatientFetchOptions {
  /** Of the service. */
  readonly baseUrl: string;
  /** Told a line when a wait begins. */
  readonly tell: (line: string) => void;
  readonly fetch?: typeof fetch;
  /** Milliseconds, of a clock that is never set. */
  readonly now?: () => number;
  /** @throws when the signal is aborted */
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
}

/** An exchange of a server takes up to a minute without an API. */
const longestWaitMs = 5 * 60_000;
const firstPauseMs = 1_000;
const longestPauseMs = 15_000;
const probeTimeoutMs = 10_000;

/** What answers for a service that is away: itself before it ends, or a proxy. */
const awayStatuses: ReadonlySet<number> = new Set([502, 503, 504]);
/** How a connection ends that there was. */
const brokenCodes: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/**
 * A failed call is not repeated here: it fails once the service is ready again, and is then
 * repeated by the client under its own id. A service that has never answered may have another
 * address, and is not waited for.
 */
export function patientFetch(options: PatientFetchOptions): typeof fetch {
  const { baseUrl, tell, now = () => performance.now() } = options;
  const pause = options.pause ?? ((ms, signal) => sleep(ms, null, { signal }));
  const ask = options.fetch ?? fetch;
  let isKnown = false;
  /** When the service was found to be away; null while it is not. */
  let awaySince: number | null = null;

  const isReady = async (signal: AbortSignal): Promise<boolean> => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(probeTimeoutMs)]);
    try {
      const response = await ask(`${baseUrl}/readyz?of=api`, { signal: limit });
      await response.body?.cancel();
      return !awayStatuses.has(response.status);
    } catch {
      return false;
    }
  };

  const untilReady = async (signal: AbortSignal): Promise<void> => {
    for (let pauseMs = firstPauseMs; !signal.aborted; pauseMs *= 2) {
      if (await isReady(signal)) {
        awaySince = null;
        return;
      }
      if (awaySince === null) {
        awaySince = now();
        tell(`${baseUrl} is not ready; waiting up to ${longestWaitMs / 60_000} minutes for it`);
      }
      if (now() - awaySince > longestWaitMs) {
        // Its last repetitions are not waited for.
        isKnown = false;
        return;
      }
      await pause(Math.min(pauseMs, longestPauseMs), signal).catch(() => {});
    }
  };

  return async (input, init) => {
    const signal = init?.signal ?? new AbortController().signal;
    try {
      const response = await ask(input, init);
      const isAway = awayStatuses.has(response.status);
      isKnown ||= !isAway || (await isOwn(response));
      if (isAway && isKnown) await untilReady(signal);
      else awaySince = null;
      return response;
    } catch (error) {
      isKnown ||= brokenCodes.has(causeOf(error));
      if (isKnown) await untilReady(signal);
      throw error;
    }
  };
}

/** Whether the service itself says so, and not a proxy. */
async function isOwn(response: Response): Promise<boolean> {
  const text = await response.clone().text();
  return text.includes('"not_ready"');
}

function causeOf(error: unknown): unknown {
  const { cause } = error instanceof Error ? error : {};
  return cause instanceof Error && 'code' in cause ? cause.code : null;
}
