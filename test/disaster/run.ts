// `npm run disaster`: a stack is backed up while it works, destroyed with all its data, restored
// from the backup, and then held against what its callers know and against its own ledger.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backUp } from '../../bin/stack/backup.ts';
import { restore } from '../../bin/stack/restore.ts';
import { readBatch, readResults, startBatch, untilBatch, uploadFile } from '../support/batches.ts';
import { speech, toWav } from '../support/speech.ts';
import { transcribe } from '../support/stack.ts';
import { startStack, type RunningStack } from './stack.ts';

/** Long enough that the backup falls into them, and that each has a workflow of its own. */
const sentences = 60;
const items = 4;
const broken: string[] = [];

function expect(holds: boolean, what: string): void {
  process.stdout.write(`${holds ? '✓' : '✗'} ${what}\n`);
  if (!holds) broken.push(what);
}

const folder = mkdtempSync(join(tmpdir(), 'svc-disaster-'));
const backup = join(folder, 'backup');
const clip = toWav(await speech('This call is recorded for quality.'));
const call = toWav(await speech('Please hold while we look for somebody. '.repeat(sentences)));
const early = ['before-1', 'before-2', 'before-3'];

type Service = Parameters<typeof untilBatch>[0];

const serviceOf = ({ base }: RunningStack, key: string): Service => ({
  base,
  account: { key, organizationId: '', keyId: '' },
});

async function send(service: Service, requestId: string): Promise<number> {
  return (await transcribe(service, clip, { requestId })).status;
}

/** @returns the batch that is in progress */
async function work(first: RunningStack, service: Service): Promise<string> {
  for (const id of early) expect((await send(service, id)) === 200, `${id} is answered`);
  const file = await uploadFile(service, call);
  const { id } = await startBatch(service, Array<string>(items).fill(file));
  const began = performance.now();
  const { dataDirectory } = first.services;
  const ownerUrl = first.environment.DATABASE_OWNER_URL ?? '';
  // As `npm start` keeps the key of its demonstration.
  writeFileSync(join(dataDirectory, 'demo-key'), first.key ?? '');
  await backUp({ dataDirectory, ownerUrl, to: backup });
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  const { completed_at: done } = await readBatch(service, id);
  expect(done === null, `backed up in ${seconds} s, while a batch is in progress`);
  expect((await send(service, 'after-1')) === 200, 'after-1 is answered after the backup');
  return id;
}

async function judge(second: RunningStack, service: Service, batch: string): Promise<void> {
  for (const id of early) {
    expect((await send(service, id)) === 409, `${id} stays charged, and does not run again`);
  }
  expect((await send(service, 'after-1')) === 200, 'after-1 is not known, and may be sent again');
  expect((await send(service, 'new-1')) === 200, 'a new call is answered');
  const ended = await untilBatch(service, batch);
  const { completed, total } = ended.request_counts;
  expect(ended.status === 'completed', `the batch goes on to its end: ${ended.status}`);
  expect(completed === items, `${completed} of ${total} items are completed`);
  const results = await readResults(service, batch);
  expect(results.length === items, 'each item has its result');
  const told = await second.command('admin', 'ledger').catch((error: unknown) => String(error));
  expect(/agree/.test(told), `the ledger check passes: ${told.trim()}`);
}

// PostgreSQL's own user has to reach its data.
chmodSync(folder, 0o755);
const first = await startStack(null);
let second: RunningStack | null = null;
let isDestroyed = false;
try {
  const key = first.key ?? '';
  const batch = await work(first, serviceOf(first, key));
  first.kill();
  // With it goes its data directory.
  await first.services.stop();
  isDestroyed = true;
  await restore(backup, join(folder, 'data'));
  const kept = readFileSync(join(folder, 'data', 'demo-key'), 'utf8');
  expect(kept === key, '`npm start` goes on with the key of its demonstration');
  second = await startStack(join(folder, 'data'));
  await judge(second, serviceOf(second, key), batch);
} finally {
  for (const stack of [first, second]) stack?.kill();
  if (!isDestroyed) await first.services.stop();
  await second?.services.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(broken.length === 0 ? 'The restore holds.\n' : `${broken.length} broken\n`);
process.exit(broken.length === 0 ? 0 : 1);
