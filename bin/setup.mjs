// Entry of every npm script, for any Node >= 18: brings what the command needs and runs it, on
// Node 24 or, where it is a Python script, in the environment of training/.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { cacheDirectory, dataDirectory, modelsDirectory, repositoryRoot } from './setup/places.mjs';
import { ensureModels } from './setup/models.mjs';
import { ensurePackages, nodeBinary } from './setup/packages.mjs';
import { ensurePrograms, ensureSandbox } from './setup/programs.mjs';
import { ensureRuff } from './setup/python.mjs';
import { SetupError } from './setup/processes.mjs';
import { ensureServers } from './setup/servers.mjs';
import { ensureTrainingPython } from './setup/training.mjs';

/** A suite runs the whole service, and the programs that make its sounds. */
const suite = ['models', 'servers', 'sandbox', 'programs', 'linter'];

/** What each command runs, and what must be there first (packages always are). */
const commands = {
  start: { script: 'bin/stack.ts', needs: ['models', 'servers', 'sandbox', 'kept-data'] },
  test: { script: 'test/run.ts', needs: [...suite, 'every-s3-server'] },
  check: { script: 'test/run.ts', args: ['--checks-only'], needs: ['linter'] },
  bench: { script: 'test/bench/run.ts', needs: suite },
  faults: { script: 'test/faults/run.ts', needs: suite },
  neighbours: { script: 'test/neighbours/run.ts', needs: suite },
  fuzz: { script: 'test/fuzz/run.ts', needs: suite },
  conformance: { script: 'test/conformance/run.ts', needs: suite },
  eval: { script: 'test/eval/run.ts', needs: suite },
  train: { script: 'training/rebuild.py', needs: ['models', 'training'] },
  svc: { script: 'bin/svc.ts', needs: [] },
  models: { script: null, needs: ['models'] },
};

/** Brings packages, models, servers and programs; the slow ones side by side. */
async function prepare(needs) {
  const packages = ensurePackages();
  const results = await Promise.allSettled([
    packages,
    needs.includes('models') ? ensureModels() : null,
    needs.includes('servers') ? ensureServers(serverOptions(needs)) : {},
    ensureSystemPackages(needs),
    needs.includes('linter') ? ensureRuff() : null,
    needs.includes('training') ? ensureTrainingPython() : null,
  ]);
  const failures = results.filter((result) => result.status === 'rejected');
  for (const { reason } of failures) report(reason);
  if (failures.length > 0) process.exit(1);
  return { servers: results[2].value, ruff: results[4].value, python: results[5].value };
}

/** A suite's servers start on nothing. */
function serverOptions(needs) {
  return {
    dataDirectory: needs.includes('kept-data') ? dataDirectory : null,
    everyS3Server: needs.includes('every-s3-server'),
  };
}

/** One after the other: the package manager serves one at a time. */
async function ensureSystemPackages(needs) {
  if (needs.includes('programs')) await ensurePrograms();
  if (needs.includes('sandbox')) await ensureSandbox();
}

function report(error) {
  const text = error instanceof SetupError ? error.message : (error?.stack ?? String(error));
  process.stderr.write(`\nset-up failed: ${text}\n`);
}

/** Runs a script in this one's place: signals go there, the exit code comes back. */
function replaceBy(program, script, args, env) {
  // Over the channel the child notices when this process is killed without a chance to say so.
  const child = spawn(program, [join(repositoryRoot, script), ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env,
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal));
  }
  endWithNpm(child);
  child.on('exit', (code, signal) => {
    process.exit(code ?? 128 + (constants.signals[signal] ?? 0));
  });
}

/** npm's signals end the shell between it and this process, which then hears nothing of them. */
function endWithNpm(child) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, 500);
}

const [name = '', ...args] = process.argv.slice(2);
const command = commands[name];
if (command === undefined) {
  process.stderr.write(`usage: node bin/setup.mjs ${Object.keys(commands).join('|')}\n`);
  process.exit(2);
}
// Another deployment's parts are not needed here.
const elsewhere = name === 'conformance' && args.includes('--base');
/** Roles that hold models read recordings, too. */
const works = name === 'svc' && ['worker', 'stream-worker'].includes(args[0]);
const needs = works ? ['models', 'sandbox'] : command.needs;
const brought = await prepare(elsewhere ? ['programs'] : needs);
if (command.script !== null) {
  const program = command.script.endsWith('.py') ? brought.python : nodeBinary;
  replaceBy(program, command.script, [...(command.args ?? []), ...args], {
    ...process.env,
    SVC_CACHE_DIR: cacheDirectory,
    SVC_MODELS_DIR: modelsDirectory,
    ...brought.servers,
    ...(brought.ruff && { SVC_RUFF_BINARY: brought.ruff }),
  });
}
