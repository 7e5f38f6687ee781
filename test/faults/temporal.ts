// Temporal fails under load: killed and restarted on its file, then behind a cut connection.
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from '@temporalio/worker';
import { testServers } from '../support/environment.ts';
import type { TestStack } from '../support/stack.ts';
import { disturb, recovery, together, type FaultOptions, type FaultOutcome } from './fault.ts';
import { startTcpProxy } from './tcp-proxy.ts';
import { workflowBundle } from '../support/workflow-workers.ts';

const kills = 2;
const cutMs = 60_000;
const backSeconds = 30;
const replayed = 40;

export function temporalPartition(options: FaultOptions): Promise<FaultOutcome> {
  return disturb(options, async (t) => {
    const line = await startTcpProxy(t, testServers().temporalAddress);
    return {
      ports: { temporal: line.port },
      quietMs: 120_000,
      async nemesis({ services, stack, random, history, readiness }) {
        const outcomes: FaultOutcome[] = [];
        for (let i = 0; i < kills; i += 1) {
          await sleep(2_000 + random() * 2_000);
          services.kill('Temporal');
          const name = 'Temporal killed';
          outcomes.push(
            await recovery({ history, readiness }, { name, limitSeconds: backSeconds }),
          );
        }
        const at = history.now();
        const state = random() < 0.5 ? 'cut' : 'silent';
        line.set(state);
        const red = await readiness.until(/^Not ready: temporal/, 10_000);
        await sleep(cutMs);
        line.set('open');
        const name = `line ${state} for 60 s`;
        outcomes.push(await recovery({ history, readiness }, { name, limitSeconds: backSeconds }));
        await sleep(2_000);
        const waited = history.operations.filter(
          ({ t0, t1, outcome }) => t0 < at && t1 > at + cutMs && outcome === 'ok',
        );
        const rejected = history.operations.filter(
          ({ t0, answer }) => t0 > at && t0 < at + cutMs && answer === '503 not_ready',
        );
        const broken = [
          ...(red ? [] : ['/readyz did not name Temporal']),
          ...(rejected.length > 0 ? [] : ['no call was rejected while Temporal was away']),
        ];
        const figure = `${waited.length} waiting calls were answered afterwards`;
        return together([...outcomes, { figures: [figure], broken }, await replay(stack)]);
      },
    };
  });
}

/** Histories that were written during the fault replay on this code. */
export async function replay({
  client,
  taskQueue,
}: Pick<TestStack, 'client' | 'taskQueue'>): Promise<FaultOutcome> {
  const query = `TaskQueue = "${taskQueue}" AND WorkflowType = "analyzeRecording"`;
  const bundle = { workflowBundle: await workflowBundle() };
  const broken: string[] = [];
  let count = 0;
  for await (const { workflowId, runId } of client.workflow.list({ query })) {
    if (count === replayed) break;
    count += 1;
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    await Worker.runReplayHistory(bundle, history, workflowId).catch((error: unknown) => {
      broken.push(`${workflowId} does not replay: ${String(error)}`);
    });
  }
  return { figures: [`${count} histories replayed`], broken };
}
