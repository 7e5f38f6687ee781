// `npm run cluster [-- NAME... --seed N --previous REF]`: the service on nine machines, which are
// network namespaces inside one of this run, on Temporal's server and PostgreSQL behind TLS.
import { spawn } from 'node:child_process';
import { existsSync, chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { until } from '../support/until.ts';
import { clusterChecks } from './catalog.ts';
import { removeLimits, runPrefix, whyNoLimit } from './cpu-limit.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean' },
    seed: { type: 'string' },
    previous: { type: 'string' },
  },
});

function help(): string {
  const lines = Object.entries(clusterChecks).map(
    ([name, { line }]) => `  ${name.padEnd(12)} ${line}`,
  );
  return [
    'npm run cluster [-- NAME... --seed N --previous REF]',
    ...lines,
    '  --seed N       brings the calls of a run back',
    '  --previous REF the version that `upgrade` starts from',
    '',
  ].join('\n');
}

const unknown = positionals.filter((name) => !Object.hasOwn(clusterChecks, name));
if (values.help || unknown.length > 0) {
  process.stdout.write(help());
  if (unknown.length > 0) process.stdout.write(`There is no check ${unknown.join(', ')}.\n`);
  process.exit(unknown.length > 0 ? 2 : 0);
}

/** What a machine needs for machines inside it; null where it has everything. */
function whyNotHere(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root of a Linux can';
  return whyNoLimit();
}

const why = whyNotHere();
if (why !== null) {
  process.stdout.write(`The cluster needs network namespaces and control groups: ${why}.\n`);
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), runPrefix));
// PostgreSQL's own user has to reach its data.
chmodSync(folder, 0o755);
if (!existsSync('/run/netns')) mkdirSync('/run/netns');
removeLimits();
// With its end every process, mount and network of the run is gone.
const namespaces = ['--net', '--pid', '--mount', '--mount-proc', '--fork', '--kill-child'];
const inside = join(import.meta.dirname, 'inside.ts');
const child = spawn('unshare', [...namespaces, process.execPath, inside], {
  stdio: 'inherit',
  env: {
    ...process.env,
    SVC_CLUSTER: JSON.stringify({
      folder,
      run: basename(folder),
      names: positionals.length > 0 ? positionals : Object.keys(clusterChecks),
      seed: Number(values.seed ?? Date.now() % 1e9),
      previous: values.previous ?? null,
    }),
  },
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => child.kill('SIGKILL'));
}
child.on('exit', (code) => void finish(code));

async function finish(code: number | null): Promise<void> {
  // Killed processes take a moment to end.
  await until(() => removeLimits(basename(folder)));
  if (code === 0) rmSync(folder, { recursive: true, force: true });
  else process.stdout.write(`The logs are in ${join(folder, 'logs')}.\n`);
  process.exit(code ?? 1);
}
