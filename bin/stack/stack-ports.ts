// The ports that a stack listens on: each a valid number, and none twice.
import type { PortUse } from './ports.ts';
import { InvalidSettings } from '../settings/read-config.ts';
import type { PortSetting, StackSettings } from '../settings/stack-settings.ts';

/** Whose metrics have a port, in their order. */
const measured = ['API', 'batch worker', 'stream worker'] as const;

/** The port of the metrics of the API (0), the batch worker (1) or the stream worker (2). */
export function metricsPort({ ports }: StackSettings, index: number): PortSetting {
  return { ...ports.metrics, port: ports.metrics.port + index };
}

/** What listens, without the servers that are external. @throws InvalidSettings */
export function portsOf(settings: StackSettings): readonly PortUse[] {
  const problems = portProblems(settings);
  if (problems.length > 0) throw new InvalidSettings(problems);
  return usesOf(settings);
}

/** Why the ports cannot be used together, a sentence each. */
export function portProblems(settings: StackSettings): readonly string[] {
  return [...metricsProblems(settings.ports.metrics), ...clashes(usesOf(settings))];
}

function usesOf(settings: StackSettings): readonly PortUse[] {
  const { ports, external, host } = settings;
  return [
    { use: 'API', setting: ports.api, host },
    { use: 'streams', setting: ports.streams },
    ...measured.map((part, i) => {
      return { use: `metrics of the ${part}`, setting: metricsPort(settings, i) };
    }),
    ...(external.databaseUrl === null ? [{ use: 'PostgreSQL', setting: ports.postgres }] : []),
    ...(external.s3 === null ? [{ use: 'S3 gateway', setting: ports.s3 }] : []),
    ...(external.temporal === null
      ? [
          { use: 'Temporal', setting: ports.temporal },
          { use: 'Temporal UI', setting: ports.temporalUi },
        ]
      : []),
  ];
}

function metricsProblems({ variable, port }: PortSetting): readonly string[] {
  const last = 65_535 - measured.length + 1;
  if (port <= last) return [];
  return [
    `${variable} must be at most ${last}, not ${port}: the workers use the two ports that follow`,
  ];
}

function clashes(uses: readonly PortUse[]): readonly string[] {
  return uses.flatMap(({ use, setting }, i) => {
    const other = uses.slice(0, i).find((earlier) => earlier.setting.port === setting.port);
    if (other === undefined) return [];
    return [
      `${other.use} (${other.setting.variable}) and ${use} (${setting.variable}) have the same ` +
        `port ${setting.port}: choose another for one`,
    ];
  });
}
