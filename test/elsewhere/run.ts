// `npm run elsewhere -- MACHINE [FILE|FOLDER ...]`: the tests as on a machine that this one is not.
//   avx512      AVX-512 without VNNI: servers of 2017 to 2019
//   avx-vnni    AVX2 with VNNI, without AVX-512: desktops and laptops since 2021
//   avx2        AVX2 alone
//   no-mounts   a container whose root may not mount anything: weaker sandboxes
//   one-core    a processor with a single core
// What they need of this one, it says. Nothing of it is changed: all happens in mounts of its own.
import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { which } from '../../bin/setup/processes.mjs';

const root = join(import.meta.dirname, '..', '..');
/** Where every process looks for libraries, also in a sandbox. */
const libraries = '/usr/lib/x86_64-linux-gnu';
const packedWeights = join(root, 'node_modules', '.cache', 'packed-weights');
const maskName = 'libsvc-cpuid-mask.so';

interface Machine {
  /** What this machine lacks to be the other one; null when it can be. */
  readonly whyNot: () => string | null;
  /** Commands of a shell that make it so within mounts of their own. */
  readonly changes: (folder: string) => readonly string[];
}

function withHidden(hidden: string): Machine {
  return {
    whyNot: () => {
      if (process.arch !== 'x64') return 'an x64 processor';
      if (!existsSync(libraries)) return `libraries in ${libraries}`;
      const flags = readFileSync('/proc/cpuinfo', 'utf8');
      const needed = ['cpuid_fault', 'avx512_vnni'];
      const lacking = needed.filter((flag) => !flags.includes(` ${flag} `));
      return lacking.length > 0 ? `a processor with ${lacking.join(' and ')}` : null;
    },
    changes: (folder) => {
      const library = join(folder, 'lib');
      mkdirSync(library);
      const source = join(import.meta.dirname, 'cpuid-mask.c');
      const target = ['-o', join(library, maskName)];
      execFileSync('gcc', ['-shared', '-fPIC', '-O1', `-DHIDDEN="${hidden}"`, ...target, source]);
      const node = join(folder, 'node');
      copyFileSync(process.execPath, node);
      execFileSync('patchelf', ['--add-needed', maskName, node]);
      return [
        `mount -t overlay overlay -o lowerdir=${library}:${libraries} ${libraries}`,
        `mount --bind '${node}' '${process.execPath}'`,
      ];
    },
  };
}

const machines: Readonly<Record<string, Machine>> = {
  avx512: withHidden('vnni'),
  'avx-vnni': withHidden('avx512f'),
  avx2: withHidden('avx512f vnni'),
  'no-mounts': {
    whyNot: () => (which('bwrap') === null ? 'bubblewrap, which it makes fail' : null),
    changes: () => [`mount --bind ${which('false')} ${which('bwrap')}`],
  },
  'one-core': { whyNot: () => null, changes: () => ['taskset -pc 0 $$'] },
};

const [name = '', ...tests] = process.argv.slice(2);
const machine = Object.hasOwn(machines, name) ? machines[name] : undefined;
if (!machine) {
  process.stdout.write(`Name one of ${Object.keys(machines).join(', ')}.\n`);
  process.exit(2);
}
const isRootOfLinux = process.platform === 'linux' && process.getuid?.() === 0;
const lacking = isRootOfLinux ? machine.whyNot() : 'root on Linux';
if (lacking !== null) {
  process.stdout.write(`skipped: ${name} needs ${lacking}.\n`);
  process.exit(0);
}

const folder = mkdtempSync(join(tmpdir(), 'svc-elsewhere-'));
mkdirSync(packedWeights, { recursive: true });
const script = [
  'set -e',
  ...machine.changes(folder),
  // Those that are there are packed for this machine.
  `mount -t tmpfs tmpfs '${packedWeights}'`,
  'exec npm test -- "$@"',
].join('\n');
const child = spawn('unshare', ['--mount', 'sh', '-c', script, 'sh', ...tests], {
  stdio: 'inherit',
  cwd: root,
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => child.kill(signal));
}
child.on('exit', (code) => {
  rmSync(folder, { recursive: true });
  process.exit(code ?? 1);
});
