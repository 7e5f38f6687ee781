// `npm test [-- FILE|FOLDER ...]`: static checks, then ava against real servers; ends with one line
// of counts. Of named files and folders only the tests run; `npm run check` has only the checks.
import { parseArguments } from './runner/arguments.ts';
import { namedTests, runAva, testGroups } from './runner/ava.ts';
import { runChecks } from './runner/checks.ts';
import { printSummary, type Outcome } from './runner/report.ts';
import { startServices } from './runner/services.ts';
import { slowestFiles, type FileTime } from './runner/slowest.ts';

const { checks, tests, patterns } = parseArguments(process.argv.slice(2));

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => interrupted.abort());
}
if (process.channel) {
  // The process that started this one was killed.
  process.on('disconnect', () => interrupted.abort());
  process.channel.unref();
}

/** Servers are stopped on every exit of the tests. */
async function runTests(): Promise<readonly Outcome[]> {
  const services = await startServices();
  try {
    const { environment } = services;
    const { signal } = interrupted;
    const all: Outcome[] = [];
    const times: FileTime[] = [];
    for (const group of patterns.length === 0 ? testGroups : namedTests(patterns)) {
      if (signal.aborted) break;
      const run = await runAva({ ...group, environment, signal });
      all.push(...run.outcomes);
      times.push(...run.times);
    }
    const slowest = slowestFiles(times);
    if (slowest.length > 1) process.stdout.write(`\nThe slowest files:\n${slowest.join('\n')}\n`);
    return all;
  } finally {
    await services.stop();
  }
}

const outcomes: Outcome[] = [];
if (checks) outcomes.push(...(await runChecks(interrupted.signal)));
if (tests && !interrupted.signal.aborted) {
  try {
    outcomes.push(...(await runTests()));
  } catch (error) {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    outcomes.push({ title: 'the servers of the tests start and stop', state: 'failed', detail });
  }
}
if (interrupted.signal.aborted) {
  outcomes.push({ title: 'the run was interrupted', state: 'failed', detail: '' });
}
process.exit(printSummary(outcomes));
