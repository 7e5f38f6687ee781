// `npm run faults [-- crash | clients [SEED] | bulk [ITEMS]]`: processes are killed at every step
// of a request's life, at random under clients that do not wait, and in turn under a batch; then
// the ledger is read.
import { startServices } from '../runner/services.ts';
import { longCall } from '../bench/recordings.ts';
import { speech, toWav } from '../support/speech.ts';
import { crashAt } from './crash.ts';
import { crashPoints, type CrashPoint } from './crash-points.ts';
import { bulkUnderFaults } from './bulk.ts';
import { impatientClients } from './impatient-clients.ts';

const [which = 'all', given] = process.argv.slice(2);
/** Crash points side by side: most of their time is waiting for a timeout. */
const sideBySide = 3;
const bulkItems = 1_000;
let failed = 0;

const services = await startServices();
Object.assign(process.env, services.environment);
try {
  if (which === 'all' || which === 'crash') await everyCrashPoint();
  if (which === 'all' || which === 'clients') await clientsUnderKills();
  if (which === 'all' || which === 'bulk') await bulk();
} finally {
  await services.stop();
}
process.stdout.write(failed === 0 ? 'every invariant held\n' : `${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);

async function everyCrashPoint(): Promise<void> {
  const recordings = {
    clip: toWav(await speech('Please call me back tomorrow morning.')),
    call: toWav(await longCall(1)),
  };
  const queue: CrashPoint[] = [...crashPoints];
  const work = async (): Promise<void> => {
    for (let point = queue.shift(); point; point = queue.shift()) {
      const { answers, seconds, broken } = await crashAt(point, recordings[point.recording]);
      const where = `${point.process} dies between ${point.between} (${point.file})`;
      say(broken, `${where}: ${answers.join(', ')}; ${seconds.toFixed(1)} s`);
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, work));
}

async function clientsUnderKills(): Promise<void> {
  const seed = Number(given ?? Date.now() % 1e9);
  const { requests, answered, lost, debits, broken } = await impatientClients(seed);
  const counts = `${requests} requests, ${answered} answered, ${debits} debits`;
  say(broken, `seed ${seed}: ${counts}, ${lost} answers lost to callers that were cut off`);
}

async function bulk(): Promise<void> {
  const items = Number(given ?? bulkItems);
  const outcome = await bulkUnderFaults(services, items);
  const { peacefulSeconds, disturbedSeconds, faults, counts, broken } = outcome;
  const times = `${peacefulSeconds.toFixed(0)} s in peace, ${disturbedSeconds.toFixed(0)} s with`;
  say(broken, `${items} items: ${times} ${faults.join(', ')}; ${JSON.stringify(counts)}`);
}

function say(broken: readonly string[], line: string): void {
  if (broken.length > 0) failed += 1;
  process.stdout.write(`${broken.length === 0 ? '✓' : '✗'} ${line}\n`);
  for (const invariant of broken) process.stdout.write(`    ${invariant}\n`);
}
