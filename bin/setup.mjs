// Entry of every npm script, for Node 18 and later: installs what the command needs and runs it on
// Node 24, or in the Python environment of training/.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import {
  cacheDirectory,
  dataDirectory,
  modelsDirectory,
  repositoryRoot,
} from './setup/directories.mjs';
import { ensureClusterTools } from './setup/cluster-tools.mjs';
import { ensureCompiledCode } from './setup/compiled-code.mjs';
import { ensureElsewhereTools } from './setup/elsewhere-tools.mjs';
import { asksForHelp, headComment } from './setup/help.mjs';
import { loopbackExceptions } from './setup/loopback.mjs';
import { ensureManifestTools } from './setup/manifest-tools.mjs';
import { ensureModels } from './setup/models.mjs';
import { ensurePackages, nodeBinary } from './setup/packages.mjs';
import { ensurePackedWeights } from './setup/packed-weights.mjs';
import { ensurePrograms, ensureSandbox } from './setup/programs.mjs';
import { ensureRuff } from './setup/python.mjs';
import { exitOnSignals, SettingError, SetupError } from './setup/processes.mjs';
import { ensureServers } from './setup/servers.mjs';
import { hasTerminal } from './setup/terminal.mjs';
import { ensureTrainingPython } from './setup/training.mjs';
import {
  describeDenied,
  requireDataFolder,
  requireModelsFolder,
  requireTemporaryFolder,
  requireUsablePath,
} from './setup/usable-folders.mjs';

/** A suite runs the whole service, and programs that synthesise its recordings. */
const suite = ['every-model', 'servers', 'sandbox', 'programs', 'linter'];

/**
 * What each command runs and needs; every command needs the packages. Its help is the comment at
 * the head of its script, or, by `ownHelp`, what the script prints, which needs only the packages.
 */
const commands = {
  start: {
    script: 'bin/stack.ts',
    // It only watches its parts: V8's young generation would keep what the start has filled.
    flags: ['--max-semi-space-size=2'],
    needs: ['models', 'servers', 'sandbox', 'kept-data'],
  },
  test: { script: 'test/run.ts', needs: [...suite, 'every-s3-server'] },
  check: { script: 'test/run.ts', args: ['--checks-only'], needs: ['linter'] },
  bench: { script: 'test/bench/run.ts', needs: suite },
  faults: { script: 'test/faults/run.ts', needs: suite, ownHelp: true },
  disaster: { script: 'test/disaster/run.ts', needs: suite },
  cluster: { script: 'test/cluster/run.ts', needs: [...suite, 'cluster-tools'], ownHelp: true },
  elsewhere: { script: 'test/elsewhere/run.ts', needs: [...suite, 'elsewhere-tools'] },
  scale: { script: 'test/scale/run.ts', needs: suite },
  neighbours: { script: 'test/neighbours/run.ts', needs: suite },
  fuzz: { script: 'test/fuzz/run.ts', needs: suite },
  generate: { script: 'clients/generator/run.ts', needs: [] },
  manifests: { script: 'test/manifests/run.ts', needs: [...suite, 'manifest-tools'] },
  conformance: { script: 'test/conformance/run.ts', needs: suite, ownHelp: true },
  eval: { script: 'test/eval/run.ts', needs: suite },
  train: { script: 'training/rebuild.py', needs: ['every-model', 'training'] },
  drop: { script: 'test/screenshots/drop.ts', needs: suite },
  screenshots: { script: 'test/screenshots/run.ts', needs: ['programs'] },
  svc: { script: 'bin/svc.ts', needs: [], ownHelp: true },
  models: { script: null, needs: ['every-model'] },
};

/** What cannot work, before anything is installed. */
function examine(needs) {
  try {
    requireUsablePath();
    requireTemporaryFolder();
    if (needs.includes('kept-data')) requireDataFolder();
    if (command !== commands.models && needsModels(needs)) requireModelsFolder();
  } catch (error) {
    report(error);
    process.exit(1);
  }
}

/** Installs packages, models, servers and programs concurrently. */
async function prepare(needs) {
  examine(needs);
  const packages = ensurePackages();
  const results = await Promise.allSettled([
    packages.then(ensureCompiledCode),
    modelsOf(needs, packages),
    needs.includes('servers') ? ensureServers(serverOptions(needs)) : {},
    ensureSystemPackages(needs),
    needs.includes('linter') ? ensureRuff() : null,
    needs.includes('training') ? ensureTrainingPython() : null,
    needs.includes('manifest-tools') ? ensureManifestTools() : {},
    needs.includes('cluster-tools') ? ensureClusterTools() : {},
    needs.includes('elsewhere-tools') ? ensureElsewhereTools() : {},
  ]);
  const failures = results.filter(
    ({ status, reason }) => status === 'rejected' && !isForStack(reason),
  );
  // What several steps wait for has one reason.
  for (const reason of new Set(failures.map((failure) => failure.reason))) report(reason);
  if (failures.length > 0) process.exit(1);
  const [compiled, packed, servers, , ruff, python, ...tools] = results.map(({ value }) => value);
  return { compiled, packed, servers, ruff, python, tools: Object.assign({}, ...tools) };
}

/** A wrong setting is told by the stack, together with all others. */
function isForStack(reason) {
  return command === commands.start && reason instanceof SettingError;
}

/** What a command needs with its arguments. */
function needsOf(name, args) {
  if (asksForHelp(args)) return [];
  // Conformance of another deployment needs no local servers.
  if (name === 'conformance' && args.includes('--base')) return ['programs'];
  // Roles with inference processes need models and a sandbox.
  const isWorker = name === 'svc' && ['worker', 'stream-worker'].includes(args[0]);
  return isWorker ? ['models', 'sandbox'] : commands[name].needs;
}

function needsModels(needs) {
  return needs.includes('models') || needs.includes('every-model');
}

/** Pulls models, and packs their weights. */
async function modelsOf(needs, packages) {
  const every = needs.includes('every-model');
  if (!needsModels(needs)) return {};
  await Promise.all([packages, ensureModels({ every, packages })]);
  return ensurePackedWeights();
}

/** The servers of a suite start without data. */
function serverOptions(needs) {
  return {
    dataDirectory: needs.includes('kept-data') ? dataDirectory : null,
    everyS3Server: needs.includes('every-s3-server'),
  };
}

/** Sequential, because the package manager holds a lock. */
async function ensureSystemPackages(needs) {
  if (needs.includes('programs')) await ensurePrograms();
  if (needs.includes('sandbox')) await ensureSandbox();
}

function report(error) {
  const known = error instanceof SetupError ? error : describeDenied(error);
  const text = known?.message ?? error?.stack ?? String(error);
  process.stderr.write(`\nset-up failed: ${text}\n`);
}

/** Runs a script as a child: forwards signals to it, and exits with its exit code. */
function replaceBy(program, args, env) {
  // The IPC channel tells the child when this process is killed.
  const child = spawn(program, args, {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env,
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  const npm = watchNpm(child);
  // Without a terminal its end is nobody's: of npm, which does not survive it, neither.
  process.on('SIGHUP', () => (hasTerminal() ? child.kill('SIGHUP') : clearInterval(npm)));
  child.on('exit', (code, signal) => {
    process.exit(code ?? 128 + (constants.signals[signal] ?? 0));
  });
}

/** npm signals only the shell between it and this process, so the end of the shell is watched. */
function watchNpm(child) {
  if (process.env.npm_lifecycle_event === undefined) return undefined;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, 500);
  return watch;
}

const [name = '', ...args] = process.argv.slice(2);
const command = commands[name];
if (command === undefined) {
  process.stderr.write(`usage: node bin/setup.mjs ${Object.keys(commands).join('|')}\n`);
  process.exit(2);
}
if (asksForHelp(args) && command.script !== null && !command.ownHelp) {
  process.stdout.write(headComment(join(repositoryRoot, command.script)));
  process.exit(0);
}
const releaseSignals = exitOnSignals();
const brought = await prepare(needsOf(name, args));
releaseSignals();
if (command.script !== null) {
  const program = command.script.endsWith('.py') ? brought.python : nodeBinary();
  const script = join(repositoryRoot, command.script);
  replaceBy(program, [...(command.flags ?? []), script, ...(command.args ?? []), ...args], {
    ...process.env,
    ...loopbackExceptions(process.env),
    SVC_CACHE_DIR: cacheDirectory,
    SVC_MODELS_DIR: modelsDirectory,
    ...brought.compiled,
    ...brought.packed,
    ...brought.servers,
    ...brought.tools,
    ...(brought.ruff && { SVC_RUFF_BINARY: brought.ruff }),
  });
}
