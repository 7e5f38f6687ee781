// Object storage answers with errors, late, in part or wrongly; then it is down for a while.
import { setTimeout as sleep } from 'node:timers/promises';
import { testServers } from '../support/environment.ts';
import { createRandom } from '../support/random.ts';
import {
  disturb,
  recovery,
  rest,
  together,
  type FaultOptions,
  type FaultOutcome,
} from './fault.ts';
import { startS3Proxy, type StorageTrouble } from './s3-proxy.ts';

const backSeconds = 30;

interface Phase extends StorageTrouble {
  readonly name: string;
  readonly seconds: number;
  /** What /readyz says meanwhile. */
  readonly red?: RegExp;
}

const storage = /^Not ready: object_storage/;

const phases: readonly Phase[] = [
  { name: '10 % errors', seconds: 12, failures: ['reject', 'forget'], share: 0.1, latencyMs: 0 },
  {
    ...{ name: '50 % errors', seconds: 15, share: 0.5, latencyMs: 0 },
    failures: ['reject', 'forget', 'reset'],
  },
  { name: '30 % short', seconds: 12, failures: ['short', 'truncate'], share: 0.3, latencyMs: 0 },
  { name: '30 % wrong', seconds: 12, failures: ['flip'], share: 0.3, latencyMs: 0 },
  { name: '5 s late', seconds: 15, failures: ['reject'], share: 0, latencyMs: 5_000, red: storage },
  { name: 'silent', seconds: 40, failures: ['reject'], share: 0, latencyMs: 90_000, red: storage },
  {
    ...{ name: 'gone', seconds: 40, share: 1, latencyMs: 0, red: storage },
    failures: ['reject', 'reset'],
  },
];

export function s3Errors(options: FaultOptions): Promise<FaultOutcome> {
  return disturb(options, async (t) => {
    const proxy = await startS3Proxy(t, testServers().s3.endpoint, createRandom(options.seed + 99));
    return {
      ports: { s3: proxy.port },
      quietMs: 90_000,
      async nemesis({ history, readiness }) {
        const outcomes: FaultOutcome[] = [];
        for (const phase of phases) {
          const { name } = phase;
          proxy.set(phase);
          const at = history.now();
          if (phase.red && !(await readiness.until(phase.red, 15_000))) {
            outcomes.push({ figures: [], broken: [`/readyz did not name the storage: ${name}`] });
          }
          await sleep(at + phase.seconds * 1_000 - history.now());
          proxy.set(null);
          const meanwhile = history.operations.filter(({ t1 }) => t1 >= at);
          const ok = meanwhile.filter(({ outcome }) => outcome === 'ok').length;
          const figure = `${name}: ${ok} of ${meanwhile.length} calls answered with a result`;
          outcomes.push({ figures: [figure], broken: [] });
          outcomes.push(
            await recovery({ history, readiness }, { name, limitSeconds: backSeconds }),
          );
          await rest(history);
        }
        const dealt = [...proxy.dealt].map(([failure, count]) => `${failure} x ${count}`);
        const figure = `dealt out: ${dealt.join(', ')}`;
        return together([...outcomes, { figures: [figure], broken: [] }]);
      },
    };
  });
}
