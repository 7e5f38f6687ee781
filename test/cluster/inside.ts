// Within the namespaces of a run: builds the cluster, prepares it by `svc setup`, runs the checks.
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { repositoryRoot } from '../../bin/settings/stack-settings.ts';
import { checkOutPrevious } from '../faults/previous-version.ts';
import type { FaultOutcome } from '../faults/fault.ts';
import { collectCleanup } from '../support/cleanup.ts';
import { clusterChecks } from './catalog.ts';
import { startCluster, startRoles, type Cluster } from './cluster.ts';

interface Order {
  readonly folder: string;
  readonly run: string;
  readonly names: readonly string[];
  readonly seed: number;
  readonly previous: string | null;
}

const { folder, run, names, seed, previous } = JSON.parse(process.env.SVC_CLUSTER ?? '') as Order;
// Histories are replayed here: of the SDK's own log only errors are of interest.
Runtime.install({ logger: new DefaultLogger('ERROR') });
let failed = 0;

function report(title: string, began: number, { figures, broken }: FaultOutcome): void {
  const seconds = Math.round((performance.now() - began) / 1_000);
  if (broken.length > 0) failed += 1;
  for (const figure of figures) process.stdout.write(`    ${figure}\n`);
  process.stdout.write(`${broken.length === 0 ? '✓' : '✗'} ${title} (${seconds} s)\n`);
  for (const line of broken) process.stdout.write(`    ${line}\n`);
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

async function tell(title: string, work: () => Promise<FaultOutcome>): Promise<void> {
  const began = performance.now();
  const outcome = await work().catch((error: unknown) => ({
    figures: [],
    broken: [describe(error)],
  }));
  report(title, began, outcome);
}

/** `svc setup` on bare servers, twice: the second time it changes nothing. */
async function prepare(cluster: Cluster, root: string): Promise<FaultOutcome> {
  const [first, second] = [await cluster.svc(root, 'setup'), await cluster.svc(root, 'setup')];
  const steps = first.stdout.split('\n').filter((line) => /^(created|changed)/.test(line));
  const repeated = second.stdout.split('\n').filter((line) => /^(created|changed)/.test(line));
  await startRoles(cluster, root);
  const backlog = await cluster.svc(root, 'backlog');
  const broken = [first, second, backlog]
    .filter(({ code }) => code !== 0)
    .map(({ stdout, stderr }) => `svc failed: ${stdout}${stderr}`);
  return {
    figures: [`bare servers: ${steps.length} steps; again: ${repeated.length}`],
    broken: [...broken, ...repeated.map((line) => `set-up is not idempotent: ${line}`)],
  };
}

const cleanup = collectCleanup();
process.stdout.write(`cluster, seed ${seed}\n`);
try {
  const began = performance.now();
  const say = (line: string): void => void process.stdout.write(`  ${line}\n`);
  const cluster = await startCluster(cleanup, { folder, run, events: { say, changed: () => {} } });
  const before = names.includes('upgrade') ? checkOutPrevious(cleanup, previous) : null;
  const prepared = await prepare(cluster, before?.root ?? repositoryRoot);
  report('setup, from bare servers to nine machines that are ready', began, prepared);
  const ordered = Object.keys(clusterChecks).filter((name) => names.includes(name));
  for (const name of prepared.broken.length === 0 ? ordered : []) {
    const { line, run: check } = clusterChecks[name]!;
    const options = { cluster, seed, previous: before?.name ?? null };
    await tell(`${name}: ${line}`, () => check(options));
  }
} catch (error) {
  failed += 1;
  process.stdout.write(`✗ ${describe(error)}\n`);
} finally {
  await cleanup.finish();
}
process.stdout.write(failed === 0 ? 'The cluster holds.\n' : `${failed} failed.\n`);
process.exit(failed === 0 ? 0 : 1);
