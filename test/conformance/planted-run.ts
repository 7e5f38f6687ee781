// `npm run conformance -- --planted`: breaks one rule after the other and runs the suite against
// it.
import { startServices } from '../runner/services.ts';
import { stopChild } from '../support/stop-child.ts';
import { collectCleanup } from '../support/cleanup.ts';
import { testStack, untilReady, type TestStack } from '../support/stack.ts';
import { targetOf } from './own-deployment.ts';
import { plantedFaults, type PlantedFault } from './planted-faults.ts';
import type { Target } from './service.ts';
import { runSuite } from './suite.ts';

/**
 * @param only part of a fault's rule; default all
 * @returns how many faults were not detected
 */
export async function runPlanted(
  only: string | undefined,
  say: (line: string) => void,
): Promise<number> {
  const cleanup = collectCleanup();
  const services = await startServices();
  cleanup.teardown(() => services.stop());
  Object.assign(process.env, services.environment);
  try {
    const stack = await testStack(cleanup, { patient: false, worker: false });
    let missed = 0;
    for (const [i, fault] of plantedFaults.entries()) {
      if (only !== undefined && !fault.rule.includes(only)) continue;
      // New accounts, because a case may use its account up.
      const noticed = await noticedBy(stack, await targetOf(stack), fault);
      if (noticed.length === 0) missed += 1;
      const numbers = noticed.map((number) => String(number).padStart(3, '0')).join(' ');
      say(`${numbers ? '✓' : '✗'} ${i + 1}. ${fault.rule} (${fault.file}): ${numbers || 'missed'}`);
    }
    return missed;
  } finally {
    await cleanup.finish();
  }
}

/** Numbers of the cases that fail with the fault. */
async function noticedBy(
  stack: TestStack,
  target: Target,
  fault: PlantedFault,
): Promise<readonly number[]> {
  const patches = [fault];
  const worker = await stack.startWorker(patches);
  const streamWorker = await stack.startStreamWorker(patches);
  const api = await stack.startApi(patches);
  try {
    await untilReady(api);
    const outcomes = await runSuite(
      { ...target, base: api.base },
      { select: ({ section }) => section === fault.section },
    );
    return outcomes.filter(({ state }) => state === 'failed').map(({ entry }) => entry.number);
  } finally {
    await Promise.all([worker, streamWorker, api.child].map(stopChild));
  }
}
