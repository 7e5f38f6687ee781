// `npm run faults [-- NAME... --seed N --previous REF]`: parts of the service fail under load, and
// then rows, objects, workflows and processes are compared with what clients saw.
import { parseArgs } from 'node:util';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { startServices } from '../runner/services.ts';
import { faults } from './catalog.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean' },
    seed: { type: 'string' },
    previous: { type: 'string' },
  },
});

function help(): string {
  const lines = Object.entries(faults).map(([name, { line }]) => `  ${name.padEnd(20)} ${line}`);
  return [
    'npm run faults [-- NAME... --seed N --previous REF]',
    ...lines,
    '  --seed N             brings a run back; printed by each',
    '  --previous REF       the version that `rolling` rolls from',
    '',
  ].join('\n');
}

const names = positionals.length > 0 ? positionals : Object.keys(faults);
const unknown = names.filter((name) => !Object.hasOwn(faults, name));
if (values.help || unknown.length > 0) {
  process.stdout.write(help());
  if (unknown.length > 0) process.stdout.write(`There is no fault ${unknown.join(', ')}.\n`);
  process.exit(unknown.length > 0 ? 2 : 0);
}

// Histories are replayed here: of the SDK's own log only errors are of interest.
Runtime.install({ logger: new DefaultLogger('ERROR') });
const seed = Number(values.seed ?? Date.now() % 1e9);
let failed = 0;
for (const name of names) {
  const startedAt = performance.now();
  process.stdout.write(`${name}, seed ${seed}: ${faults[name]!.line}\n`);
  const services = await startServices({ durable: true });
  Object.assign(process.env, services.environment);
  try {
    const options = { services, seed, previous: values.previous ?? null };
    const { figures, broken } = await faults[name]!.run(options);
    if (broken.length > 0) failed += 1;
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    for (const figure of figures) process.stdout.write(`    ${figure}\n`);
    process.stdout.write(`${broken.length === 0 ? '✓' : '✗'} ${name} (${seconds} s)\n`);
    for (const line of broken) process.stdout.write(`    ${line}\n`);
  } finally {
    await services.stop();
  }
}
process.stdout.write(failed === 0 ? 'every invariant held\n' : `${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);
