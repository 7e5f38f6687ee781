// Compares the history of a fault with PostgreSQL, S3 and Temporal, once no work is in progress.
import { sql } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestStack } from '../support/stack.ts';
import type { Recording } from './clients.ts';
import { linesOf, type History, type Operation } from './history.ts';
import { brokenInvariants } from './ledger-check.ts';

export interface Judged {
  readonly history: History;
  readonly sent: ReadonlyMap<string, Recording>;
  /** Two versions may recognise a recording differently. */
  readonly versions?: 'one' | 'two';
}

export type Checked = Pick<TestStack, 'db' | 'objects' | 'account' | 'client' | 'taskQueue'>;

/** Waits until no request is open, at most so long. @returns whether that happened */
export async function untilQuiet({ db }: Pick<TestStack, 'db'>, limitMs: number): Promise<boolean> {
  const end = performance.now() + limitMs;
  while (performance.now() < end) {
    const { rows } = await sql<{ n: number }>`
      SELECT count(*) AS n FROM requests WHERE state IN ('admitted', 'running')`.execute(db);
    if (rows[0]?.n === 0) return true;
    await sleep(500);
  }
  return false;
}

/** Every invariant that does not hold, with the calls that show it. */
export async function judge(
  stack: Checked,
  { history, sent, versions = 'one' }: Judged,
): Promise<readonly string[]> {
  const { operations } = history;
  const broken = [
    ...(await brokenInvariants(stack)),
    ...(await wrongDebits(stack, operations, sent)),
    ...(await strayWorkflows(stack)),
    ...(versions === 'one' ? differingResults(operations) : []),
    ...flawedAnswers(operations),
    ...blamedRecordings(operations),
    ...(await leftAfterSweep(stack)),
  ];
  return broken;
}

/** Each `ok` has one debit of the right length, and each debit an id that was sent. */
async function wrongDebits(
  { db, account }: Checked,
  operations: readonly Operation[],
  sent: ReadonlyMap<string, Recording>,
): Promise<readonly string[]> {
  const debits = await db
    .selectFrom('ledger')
    .select(['requestId', 'seconds'])
    .where('kind', '=', 'debit')
    .where('organizationId', '=', account.organizationId)
    .execute();
  const paid = new Map(debits.map((row) => [row.requestId, row.seconds]));
  const broken: string[] = [];
  const answered = new Set(operations.filter((o) => o.outcome === 'ok').map((o) => o.id));
  for (const id of answered) {
    const seconds = Math.max(1, Math.ceil((sent.get(id)?.seconds ?? 0) - 1e-9));
    if (paid.get(id) === seconds) continue;
    broken.push(`${id} was answered, and debited ${paid.get(id) ?? 'nothing'}, not ${seconds} s`);
    broken.push(...linesOf(operations, id));
  }
  for (const id of paid.keys()) {
    const calls = operations.filter((each) => each.id === id);
    if (!sent.has(id)) broken.push(`${id} was debited and never sent`);
    // A caller that was told of a definite failure, and of nothing else, must not pay.
    else if (calls.length > 0 && calls.every(refusedForGood)) {
      broken.push(`${id} was debited after a refusal`, ...linesOf(operations, id));
    }
  }
  return broken;
}

function refusedForGood({ outcome, answer }: Operation): boolean {
  return outcome === 'fail' && answer !== '409 request_already_completed';
}

/** No workflow of a request still runs when every row has its final state. */
async function strayWorkflows({ client, taskQueue }: Checked): Promise<readonly string[]> {
  const query = `ExecutionStatus = "Running" AND TaskQueue STARTS_WITH "${taskQueue}"`;
  const end = performance.now() + 20_000;
  for (;;) {
    const ids: string[] = [];
    for await (const { workflowId } of client.workflow.list({ query })) {
      if (workflowId.startsWith('req/')) ids.push(workflowId);
    }
    // Visibility is updated with a short delay.
    if (ids.length === 0 || performance.now() > end) {
      return ids.map((id) => `${id} runs, and its row has ended`);
    }
    await sleep(1_000);
  }
}

/** One recording and model has one result, whatever happened on the way. */
function differingResults(operations: readonly Operation[]): readonly string[] {
  const results = new Map<string, Operation>();
  const broken: string[] = [];
  for (const operation of operations) {
    if (operation.result === null) continue;
    const known = results.get(operation.sha256);
    if (!known) results.set(operation.sha256, operation);
    else if (known.result !== operation.result) {
      broken.push(`${operation.id} and ${known.id} are the same audio with two results`);
    }
  }
  return broken;
}

function flawedAnswers(operations: readonly Operation[]): readonly string[] {
  return operations.flatMap(({ id, flaw, answer }) => (flaw ? [`${id} ${answer}: ${flaw}`] : []));
}

/** Every recording of a fault is valid, and no fault is the recording's. */
function blamedRecordings(operations: readonly Operation[]): readonly string[] {
  return operations
    .filter(({ answer }) => /^4\d\d .*audio/.test(answer))
    .map(({ id, answer }) => `${id} is a valid recording and was told ${answer}`);
}

/** All data is aged by a day and swept: neither row nor object may be left. */
async function leftAfterSweep(stack: Checked): Promise<readonly string[]> {
  const { db, objects, client, taskQueue } = stack;
  await sql`UPDATE objects SET created_at = created_at - interval '1 day'`.execute(db);
  await sql`UPDATE requests SET updated_at = updated_at - interval '1 day'`.execute(db);
  const schedule = client.schedule.getHandle(`${taskQueue}-sweep`);
  await schedule.trigger();
  const end = performance.now() + 90_000;
  for (;;) {
    const keys = await objects.list('');
    const rows = await db.selectFrom('objects').select('key').execute();
    if (keys.length === 0 && rows.length === 0) return [];
    if (performance.now() > end) {
      const left = `${keys.length} objects and ${rows.length} rows of objects`;
      return [`the sweep leaves ${left}: ${keys.slice(0, 5).join(', ')}`];
    }
    await sleep(1_000);
    if (Math.random() < 0.1) await schedule.trigger();
  }
}
