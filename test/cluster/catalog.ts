// The checks of the cluster by name, in the order in which they run.
import type { FaultOutcome } from '../faults/fault.ts';
import { drain } from './checks/drain.ts';
import { limits } from './checks/limits.ts';
import { unplugged } from './checks/unplugged.ts';
import type { CheckOptions } from './under-load.ts';

interface ClusterCheck {
  readonly line: string;
  readonly run: (options: CheckOptions) => Promise<FaultOutcome>;
}

export const clusterChecks: Readonly<Record<string, ClusterCheck>> = {
  limits: { line: 'the limits of a key hold over two APIs', run: limits },
  drain: { line: 'the machine of the streams is asked to stop', run: drain },
  unplugged: { line: 'machines lose their network and are killed', run: unplugged },
};
