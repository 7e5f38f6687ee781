// `svc doctor`: each part of the service with its version, latency and health.
import type { Command } from 'commander';
import { environmentOf } from '../stack/running-environment.ts';
import type { Environment } from '../settings/read-config.ts';
import { readSettings } from '../settings/stack-settings.ts';
import { examineServices } from './examine-services.ts';
import {
  examineChoice,
  examineModels,
  examineSandbox,
  examineSoftware,
} from './examine-software.ts';
import type { Finding } from './finding.ts';
import { tableLines } from './table.ts';

/** Adds the command to the program. */
export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check every part of the service; exit 1 when one is unhealthy')
    .option('--json', 'print the findings as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const findings = await examineAll(process.env);
      const healthy = findings.every((finding) => finding.healthy);
      const text = json
        ? JSON.stringify({ healthy, parts: findings }, null, 2)
        : tableLines(findings.map(cellsOf)).join('\n');
      process.stdout.write(`${text}\n`);
      process.exitCode = healthy ? 0 : 1;
    });
}

async function examineAll(env: Environment): Promise<readonly Finding[]> {
  const { dataDirectory, modelsDirectory, englishBundle, assignments } = readSettings(env);
  // Before the models, whose files take a core for seconds: the servers' answers are timed.
  const services = await examineServices(environmentOf(dataDirectory, env));
  const groups = await Promise.all([
    examineSoftware(),
    examineSandbox(modelsDirectory).then((finding) => [finding]),
    examineChoice(env).then((finding) => [finding]),
    examineModels(modelsDirectory, { english: englishBundle, assignments }),
  ]);
  return [...groups.flat(), ...services];
}

function cellsOf(finding: Finding): readonly string[] {
  const { part, healthy, version, latencyMs, roundTripMs, detail } = finding;
  const latency = latencyMs === null ? '' : `${latencyMs} ms`;
  const distance = roundTripMs === undefined ? '' : `, round trip ${roundTripMs} ms`;
  const mark = healthy ? '✓' : '✗';
  return [`${mark} ${part}`, version ?? '', latency.padStart(9), `${detail}${distance}`];
}
