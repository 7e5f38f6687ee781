// `npm run scale [-- CORES]`: the load of so many cores (1,000) of recognition on ledger, storage
// and Temporal, beside what each of them does on this machine: which gives way first.
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { estimate } from '../../bin/capacity/estimate.ts';
import { coreSecondsPerHour } from '../../bin/capacity/measured.ts';
import { startServices } from '../runner/services.ts';
import { collectCleanup } from '../support/cleanup.ts';
import { anAccount, testDatabase } from '../support/database.ts';
import { testObjectStore } from '../support/object-store.ts';
import { ledgerRate, storageRate, workflowRate, type LoadOptions } from './parts.ts';

// Of the SDK's own log only errors are of interest.
Runtime.install({ logger: new DefaultLogger('ERROR') });
const cores = Number(process.argv[2] ?? 1_000);
const callSeconds = 300;
const load: LoadOptions = { seconds: 15, concurrency: 16 };
const muchSeconds = 2_000_000_000;

const needed = cores / ((coreSecondsPerHour.analysis / 3_600) * callSeconds);
const cleanup = collectCleanup();
const services = await startServices({ durable: true });
cleanup.teardown(() => services.stop());
Object.assign(process.env, services.environment);

interface Row {
  readonly part: string;
  /** Calls a second. */
  readonly here: number;
}

async function measure(): Promise<readonly Row[]> {
  const { db } = await testDatabase(cleanup);
  const terms = { allowanceSeconds: muchSeconds };
  const accounts = await Promise.all(Array.from({ length: 16 }, () => anAccount(db, terms)));
  const objects = await testObjectStore(cleanup);
  const bytes = { upload: 4_000 * callSeconds, samples: 32_000 * callSeconds, result: 175_000 };
  return [
    { part: 'ledger, 16 organizations', here: await ledgerRate(db, accounts, load) },
    { part: 'ledger, one organization', here: await ledgerRate(db, accounts.slice(0, 1), load) },
    {
      part: 'object storage',
      here: await storageRate(objects, bytes, { ...load, concurrency: 4 }),
    },
    { part: 'Temporal', here: await workflowRate(load) },
  ];
}

try {
  const rows = await measure();
  const { storageMegabytesPerSecond: megabytes, temporalEventsPerSecond: events } = estimate({
    ...{ task: 'analysis', recordingsPerHour: needed * 3_600, seconds: callSeconds },
    ...{ uploadBytesPerSecond: 4_000, utilization: 1 },
  });
  console.log(
    `${cores} cores: ${needed.toFixed(1)} calls of 5 minutes a second, diarized analysis;`,
  );
  console.log(`${megabytes.toFixed(0)} MB/s of objects, ${events.toFixed(0)} events/s of Temporal`);
  console.log('| part | needed | here | here / needed |\n|---|---|---|---|');
  for (const { part, here } of rows) {
    const cells = [
      part,
      `${needed.toFixed(1)}/s`,
      `${here.toFixed(1)}/s`,
      (here / needed).toFixed(2),
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
  const [first] = rows.toSorted((a, b) => a.here - b.here);
  console.log(`gives way first: ${first!.part}`);
} finally {
  await cleanup.finish();
}
process.exit(0);
