// The checks of the cluster by name, in the order in which they run.
import type { FaultOutcome } from '../faults/fault.ts';
import { commands } from './checks/commands.ts';
import { drain } from './checks/drain.ts';
import { limits } from './checks/limits.ts';
import { partitions } from './checks/partitions.ts';
import { scale } from './checks/scale.ts';
import { unplugged } from './checks/unplugged.ts';
import { upgrade } from './checks/upgrade.ts';
import type { CheckOptions } from './under-load.ts';

interface ClusterCheck {
  readonly line: string;
  readonly run: (options: CheckOptions) => Promise<FaultOutcome>;
}

export const clusterChecks: Readonly<Record<string, ClusterCheck>> = {
  upgrade: {
    line: 'from the version before, machine by machine, under calls and a batch',
    run: upgrade,
  },
  commands: { line: 'what an operator types finds what it names', run: commands },
  limits: { line: 'the limits of a key hold over two APIs', run: limits },
  drain: { line: 'the machine of the streams is asked to stop', run: drain },
  scale: { line: 'a batch on one worker machine and on two', run: scale },
  unplugged: { line: 'machines lose their network and are killed', run: unplugged },
  partitions: {
    line: 'machines are cut off from database, storage and Temporal in turn',
    run: partitions,
  },
};
