// Clients that retry 429 and 5xx twice within a second, whatever Retry-After says, while processes
// are killed: what each of them saw, compared with the ledger.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { collectCleanup } from '../support/cleanup.ts';
import { tone, toWav } from '../support/speech.ts';
import { testStack, untilReady, type ApiProcess, type TestStack } from '../support/stack.ts';
import { brokenInvariants } from './ledger-check.ts';
import { send } from './send.ts';
import { createRandom, type Random } from '../support/random.ts';

const clients = 24;
const requestsEach = 8;
const retries = 2;
/** Kills while the clients are working. */
const kills = 6;
const quiescenceMs = 200_000;

interface Seen {
  readonly id: string;
  readonly answers: readonly string[];
}

export interface ImpatientOutcome {
  readonly requests: number;
  readonly answered: number;
  readonly lost: number;
  readonly debits: number;
  readonly broken: readonly string[];
}

export async function impatientClients(seed: number): Promise<ImpatientOutcome> {
  const cleanup = collectCleanup();
  try {
    const random = createRandom(seed);
    const stack = await testStack(cleanup, {
      patient: false,
      worker: false,
      allowanceSeconds: 360_000,
      // Small enough to be reached.
      apiEnvironment: { SVC_SPECTRA_UPLOADS: '4', SVC_SPECTRA_RUNS: '2' },
    });
    let worker = await stack.startWorker();
    const apis = [await stack.startApi(), await stack.startApi()];
    await untilReady(stack);
    let over = false;
    const nemesis = (async () => {
      for (let i = 0; i < kills && !over; i += 1) {
        await sleep(1_500 + random() * 2_500);
        if (random() < 0.5) {
          worker.kill('SIGKILL');
          worker = await stack.startWorker();
        } else {
          const which = random() < 0.5 ? 0 : 1;
          apis[which]!.child.kill('SIGKILL');
          apis[which] = await stack.startApi();
        }
      }
    })();
    const seen = await Promise.all(
      Array.from({ length: clients }, (_, i) => oneClient(stack, apis, createRandom(seed + i + 1))),
    );
    over = true;
    await nemesis;
    await quiesced(stack);
    return await outcomeOf(stack, seen.flat());
  } finally {
    await cleanup.finish();
  }
}

async function oneClient(
  { account }: TestStack,
  apis: readonly ApiProcess[],
  random: Random,
): Promise<readonly Seen[]> {
  const seen: Seen[] = [];
  for (let i = 0; i < requestsEach; i += 1) {
    const id = randomUUID();
    const file = toWav(tone(200 + random() * 400, 1 + random() * 3));
    const spectra = random() < 0.5;
    const answers: string[] = [];
    for (let attempt = 0; attempt <= retries; attempt += 1) {
      const { base } = apis[random() < 0.5 ? 0 : 1]!;
      const model = spectra ? 'svc-spectra-2' : 'svc-resonance';
      const answer = await send(base, { key: account.key, id, file, model });
      answers.push(answer);
      if (!/^(429|5\d\d|cut off)/.test(answer)) break;
      await sleep(random() * 450);
    }
    seen.push({ id, answers });
  }
  return seen;
}

/** Until every id has its final answer. */
async function quiesced({ db }: TestStack): Promise<void> {
  const end = Date.now() + quiescenceMs;
  while (Date.now() < end) {
    const { rows } = await sql<{ n: number }>`
      SELECT count(*) AS n FROM requests WHERE state IN ('admitted', 'running')`.execute(db);
    if (rows[0]?.n === 0) break;
    await sleep(1_000);
  }
  await sleep(1_500);
}

/** An answer may be lost only to a caller that was cut off, or that reused a `model_busy` id. */
async function outcomeOf(stack: TestStack, seen: readonly Seen[]): Promise<ImpatientOutcome> {
  const debits = await stack.db
    .selectFrom('ledger')
    .select('requestId')
    .where('kind', '=', 'debit')
    .execute();
  const paid = new Set(debits.map((row) => row.requestId));
  const broken = [...(await brokenInvariants(stack))];
  let lost = 0;
  for (const { id, answers } of seen) {
    const wasAnswered = answers.includes('200');
    if (wasAnswered && !paid.has(id)) broken.push(`${id} was answered and not charged`);
    if (wasAnswered || !paid.has(id)) continue;
    lost += 1;
    if (!answers.some((answer) => /cut off|^50[34]|model_busy/.test(answer))) {
      broken.push(`${id} was charged and never answered: ${answers.join(', ')}`);
    }
  }
  const answered = seen.filter(({ answers }) => answers.includes('200')).length;
  return { requests: seen.length, answered, lost, debits: debits.length, broken };
}
