// Five times as many recordings as the service can handle, for a minute: whatever it admits it
// finishes.
import { availableParallelism } from 'node:os';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { limitKey } from '../../db/api-keys.ts';
import { collectCleanup } from '../support/cleanup.ts';
import { createRandom } from '../support/random.ts';
import { testStack, untilReady } from '../support/stack.ts';
import { loadRecordings, type Recording } from './clients.ts';
import type { FaultOptions, FaultOutcome } from './fault.ts';
import { countAnswers, createHistory } from './history.ts';
import { judge, untilQuiet } from './invariants.ts';
import { sendRecorded } from './send.ts';

const peakClients = 3 * availableParallelism();
const peakMs = 25_000;
const overloadMs = 60_000;
const times = 5;
const minGoodput = 0.9;
const drainLimitMs = 60_000;
/** Of the key, so that it is the load that is rejected, on fast machines as well. */
const requestsPerMinute = 1_000_000;

export async function overload({ seed }: FaultOptions): Promise<FaultOutcome> {
  const cleanup = collectCleanup();
  try {
    const stack = await testStack(cleanup, {
      patient: false,
      worker: false,
      allowanceSeconds: 3_600_000,
      apiEnvironment: { SVC_LOG_LEVEL: 'fatal' },
    });
    await stack.startWorker();
    const { base } = await stack.startApi();
    await untilReady({ base });
    const history = createHistory();
    const sent = new Map<string, Recording>();
    const { key, keyId } = stack.account;
    await limitKey(stack.db, keyId, { limits: { requestsPerMinute }, actor: 'test' });
    const [recording] = await loadRecordings();
    const { file, model } = recording!;
    const call = async (): Promise<void> => {
      const id = randomUUID();
      sent.set(id, recording!);
      await sendRecorded(base, { key, id, file, model }, history);
    };
    const goodput = (from: number, to: number): number => {
      const ok = history.operations.filter((o) => o.outcome === 'ok' && o.t1 >= from && o.t1 < to);
      return (ok.length / (to - from)) * 1_000;
    };
    await call();
    const peakAt = history.now();
    let over = false;
    const closedLoop = Array.from({ length: peakClients }, async () => {
      while (!over) await call();
    });
    await sleep(peakMs);
    const peak = goodput(peakAt, history.now());
    over = true;
    await Promise.all(closedLoop);

    const random = createRandom(seed);
    const at = history.now();
    const cpuAt = process.cpuUsage();
    const underWay = new Set<Promise<void>>();
    while (history.now() < at + overloadMs) {
      const ended = call().finally(() => underWay.delete(ended));
      underWay.add(ended);
      // A Poisson process: gaps between arrivals are exponential.
      await sleep((-Math.log(1 - random()) * 1_000) / (times * peak));
    }
    const end = history.now();
    const { user, system } = process.cpuUsage(cpuAt);
    await Promise.race([Promise.all(underWay), sleep(drainLimitMs + 30_000)]);
    const drainMs = history.now() - end;
    const quiet = await untilQuiet(stack, 10_000);
    // The first seconds fill the queues.
    const during = goodput(at + 5_000, end);
    const rejected = history.operations.filter((o) => o.answer.startsWith('429'));
    const broken = [
      ...(during < minGoodput * peak
        ? [`goodput fell to ${((during / peak) * 100).toFixed(0)} %`]
        : []),
      ...(drainMs > drainLimitMs ? [`the drain took ${(drainMs / 1_000).toFixed(0)} s`] : []),
      ...(rejected.length === 0 ? ['nothing was rejected'] : []),
      ...(quiet ? [] : ['requests are open after the drain']),
      ...history.operations
        .filter(({ answer }) => !/^(200|429 )/.test(answer))
        .map(({ id, answer }) => `${id} was answered ${answer}`),
      ...(await judge(stack, { history, sent })),
    ];
    const offered = sent.size / ((end - at) / 1_000);
    const figures = [
      countAnswers(history.operations),
      `peak ${peak.toFixed(1)}/s; ${offered.toFixed(1)}/s offered: ${during.toFixed(1)}/s done ` +
        `(${((during / peak) * 100).toFixed(0)} %), drained in ${(drainMs / 1_000).toFixed(1)} s`,
      // What the load itself costs, the service lacks.
      `sending took ${((user + system) / 1_000 / (end - at)).toFixed(2)} cores`,
    ];
    return { figures, broken };
  } finally {
    await cleanup.finish();
  }
}
