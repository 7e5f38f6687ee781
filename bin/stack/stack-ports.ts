// The ports that a stack listens on: each a valid number, and none twice.
import type { PortUse } from './ports.ts';
import { SettingsError, type PortSetting, type StackSettings } from '../settings/stack-settings.ts';

/** The API and the two workers. */
const metricsPorts = 3;

/** The port of the metrics of the API (0), the batch worker (1) or the stream worker (2). */
export function metricsPort({ ports }: StackSettings, index: number): PortSetting {
  return { ...ports.metrics, port: ports.metrics.port + index };
}

/** What listens, without the servers that are external. @throws SettingsError */
export function portsOf(settings: StackSettings): readonly PortUse[] {
  const { ports, external, host } = settings;
  const uses = [
    { use: 'API', setting: ports.api, host },
    { use: 'streams', setting: ports.streams },
    ...Array.from({ length: metricsPorts }, (_, i) => {
      return { use: 'metrics', setting: metricsPort(settings, i) };
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
  requireValid(settings.ports.metrics);
  requireDistinct(uses);
  return uses;
}

function requireValid({ variable, port }: PortSetting): void {
  const last = 65_535 - metricsPorts + 1;
  if (port <= last) return;
  throw new SettingsError(
    `${variable} must be at most ${last}, not ${port}: the workers use the two ports that follow`,
  );
}

function requireDistinct(uses: readonly PortUse[]): void {
  for (const [i, { use, setting }] of uses.entries()) {
    const other = uses.slice(0, i).find((earlier) => earlier.setting.port === setting.port);
    if (other === undefined) continue;
    throw new SettingsError(
      `${other.use} (${other.setting.variable}) and ${use} (${setting.variable}) have the same ` +
        `port ${setting.port}: choose another for one`,
    );
  }
}
