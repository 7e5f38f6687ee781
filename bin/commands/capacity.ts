// `svc capacity`: how many cores a load takes, and what it puts on the servers.
import { Option, type Command } from 'commander';
import { estimate } from '../capacity/estimate.ts';
import { coreSecondsPerHour, type CapacityTask } from '../capacity/measured.ts';
import { printRows, type PrintOptions } from './admin/database.ts';
import { parseDuration, parseWhole } from './arguments.ts';

interface CapacityOptions extends PrintOptions {
  readonly task: CapacityTask;
  readonly perHour: number;
  readonly duration: number;
  readonly kbits: number;
  readonly busy: number;
}

export function addCapacityCommand(program: Command): void {
  program
    .command('capacity')
    .description('estimate cores and load on the servers from measured figures (docs/capacity.md)')
    .addOption(
      new Option('--task <task>', 'what is done')
        .choices(Object.keys(coreSecondsPerHour))
        .default('analysis'),
    )
    .requiredOption('--per-hour <n>', 'recordings in the busiest hour', parseWhole('--per-hour', 1))
    .addOption(
      new Option('--duration <time>', 'mean duration of one, such as 90s')
        .argParser(parseDuration)
        .default(300, '5m'),
    )
    .option('--kbits <n>', 'bit rate of the uploads, kbit/s', parseWhole('--kbits', 1), 32)
    .option('--busy <percent>', 'how busy the cores may be', parseWhole('--busy', 1), 60)
    .option('--json', 'print JSON')
    .action(({ task, perHour, duration, kbits, busy, ...options }: CapacityOptions) => {
      const found = estimate({
        ...{ task, recordingsPerHour: perHour, seconds: duration },
        uploadBytesPerSecond: (kbits * 1_000) / 8,
        utilization: Math.min(100, busy) / 100,
      });
      const rounded = Object.entries(found).map(([name, value]) => [
        name,
        Number((value as number).toPrecision(4)),
      ]);
      printRows([Object.fromEntries(rounded) as Record<string, number>], options);
    });
}
