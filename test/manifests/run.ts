// `npm run manifests`: what deploy/ holds, read by the tools of operators; then every role run as
// compose and the chart say. `-- --checks` and `-- --roles` do one of the two.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServices } from '../runner/services.ts';
import { collectCleanup } from '../support/cleanup.ts';
import { checks } from './checks.ts';
import { buildImage } from './image.ts';
import { podsOfChart, podsOfCompose } from './pods.ts';
import { runRoles } from './roles.ts';

let failed = 0;

async function tell(title: string, work: () => unknown): Promise<void> {
  const began = performance.now();
  try {
    await work();
    console.log(`✓ ${title} (${((performance.now() - began) / 1_000).toFixed(1)} s)`);
  } catch (error) {
    failed += 1;
    console.log(`✗ ${title}\n  ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function tellRoles(folder: string): Promise<void> {
  const services = await startServices();
  Object.assign(process.env, services.environment);
  try {
    const image = buildImage(folder);
    for (const [name, podsOf] of [
      ['the chart', podsOfChart],
      ['compose', podsOfCompose],
    ] as const) {
      const cleanup = collectCleanup();
      await tell(`every role of ${name} starts, is ready, serves a call and ends`, async () => {
        try {
          await runRoles(cleanup, image, join(folder, name.replace(' ', '-')), podsOf);
        } finally {
          await cleanup.finish();
        }
      });
    }
  } finally {
    await services.stop();
  }
}

const folder = mkdtempSync(join(tmpdir(), 'svc-manifests-'));
try {
  if (!process.argv.includes('--roles')) {
    for (const { title, run } of checks) await tell(title, () => run(folder));
  }
  if (!process.argv.includes('--checks')) await tellRoles(folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(failed === 0 ? 'The manifests hold.' : `${failed} failed.`);
process.exit(failed === 0 ? 0 : 1);
