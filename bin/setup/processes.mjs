// Runs programs during set-up, and reports the progress of its steps.
import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { constants as system } from 'node:os';
import { delimiter, join } from 'node:path';
import { hasTerminal } from './terminal.mjs';

/** A step failed; the message says what to do. */
export class SetupError extends Error {}

/** A variable has an unusable value, which the stack finds too, with all others. */
export class SettingError extends SetupError {}

/**
 * Runs a program to its end and returns its standard output.
 * @throws SetupError with the last lines of its output
 */
export function run(program, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let everything = '';
    child.stdout.on('data', (data) => {
      output += data;
      everything = (everything + data).slice(-8000);
    });
    child.stderr.on('data', (data) => {
      everything = (everything + data).slice(-8000);
    });
    const endWithChild = () => child.kill();
    // Before its folder is removed.
    process.prependOnceListener('exit', endWithChild);
    child.on('error', (error) => {
      process.off('exit', endWithChild);
      reject(new SetupError(`${program} could not be started: ${error.message}`));
    });
    child.on('close', (code, signal) => {
      process.off('exit', endWithChild);
      if (code === 0) return resolve(output);
      const tail = everything.trimEnd().split('\n').slice(-20).join('\n  ');
      const end = signal ? `was ended by ${signal}` : `failed with exit code ${code}`;
      reject(new SetupError(`${program} ${args.slice(0, 3).join(' ')} ${end}\n  ${tail}`));
    });
  });
}

/**
 * Ends this process by `exit` on a signal, so that the programs of `run` end with it.
 * @returns {() => void} gives the signals back
 */
export function exitOnSignals() {
  const handlers = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => {
    const isOurs = signal !== 'SIGHUP' || hasTerminal();
    return [signal, () => isOurs && process.exit(128 + system.signals[signal])];
  });
  for (const [signal, handler] of handlers) process.on(signal, handler);
  return () => {
    for (const [signal, handler] of handlers) process.off(signal, handler);
  };
}

/** Path of a program on PATH, or null. */
export function which(program) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, program);
    try {
      accessSync(path, constants.X_OK);
      if (statSync(path).isFile()) return path;
    } catch {
      // Not in this folder.
    }
  }
  return null;
}

const aliveEverySeconds = 15;

/**
 * Reports a slow step: a line at its start, progress lines, a line with its duration.
 * @param {string} title such as "installing npm packages"
 * @param {() => Promise<T>} work
 * @template T
 */
export async function step(title, work) {
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  process.stderr.write(`  … ${title}\n`);
  const alive = setInterval(
    () => process.stderr.write(`  … ${title}: ${seconds()} s so far\n`),
    aliveEverySeconds * 1000,
  );
  try {
    const result = await work();
    process.stderr.write(`  ✓ ${title} (${seconds()} s)\n`);
    return result;
  } finally {
    clearInterval(alive);
  }
}
