// One crash point: the process dies there, others take over, and a retry with the same id finishes.
import { setTimeout as sleep } from 'node:timers/promises';
import { requestWorkflowId } from '../../workflows/ids.ts';
import { idHash } from '../../db/object-keys.ts';
import { collectCleanup } from '../support/cleanup.ts';
import { testStack, untilReady, type TestStack } from '../support/stack.ts';
import type { CrashPoint } from './crash-points.ts';
import { brokenInvariants } from './ledger-check.ts';
import type { Sent } from './post-recording.ts';
import { send } from './send.ts';

const requestId = 'crashed';
/** The sweeper runs every minute, for requests without activity for a minute. */
const timeoutMs = 240_000;

export interface CrashOutcome {
  /** Answers to the retries, in order, without repetitions. */
  readonly answers: readonly string[];
  readonly seconds: number;
  /** The invariants that do not hold. */
  readonly broken: readonly string[];
}

export async function crashAt(point: CrashPoint, recording: Buffer): Promise<CrashOutcome> {
  const cleanup = collectCleanup();
  try {
    const stack = await testStack(cleanup, {
      ...{ patient: false, worker: false, allowanceSeconds: 36_000 },
    });
    const inApi = point.process === 'api';
    const worker = await stack.startWorker(inApi ? [] : [point]);
    await untilReady(stack);
    const api = inApi ? await stack.startApi([point]) : null;
    const victim = api?.child ?? worker;
    const dead = new Promise<void>((resolve) => victim.once('exit', () => resolve()));
    const startedAt = Date.now();
    // The caller of a worker that dies keeps waiting; the caller of an API that dies is cut off.
    const request = { key: stack.account.key, id: requestId, file: recording };
    const first = send(api?.base ?? stack.base, request);
    const died = await Promise.race([dead.then(() => true), first.then(() => sleep(500, false))]);
    if (!died) return { answers: [await first], seconds: 0, broken: ['nothing died there'] };
    if (!inApi) await stack.startWorker();
    const answers = [`first: ${await first}`, ...(await retry(stack, request))];
    const seconds = (Date.now() - startedAt) / 1_000;
    await workflowEnded(stack);
    return { answers, seconds, broken: [...(await brokenInvariants(stack)), ...wrong(answers)] };
  } finally {
    await cleanup.finish();
  }
}

/** As a client would, until the id has a final answer. */
async function retry({ base }: TestStack, request: Sent): Promise<readonly string[]> {
  const answers: string[] = [];
  const end = Date.now() + timeoutMs;
  while (Date.now() < end) {
    const answer = await send(base, request);
    if (answers.at(-1) !== answer) answers.push(answer);
    if (answer !== '409 request_in_progress' && !answer.startsWith('5')) return answers;
    await sleep(500);
  }
  return [...answers, 'no end'];
}

async function workflowEnded({ client, account }: TestStack): Promise<void> {
  const id = requestWorkflowId(account.organizationId, idHash(requestId));
  await client.workflow
    .getHandle(id)
    .result()
    .catch(() => {});
  await sleep(1_000);
}

/** The last answer is the result, or says that it was completed for a caller that is gone. */
function wrong(answers: readonly string[]): readonly string[] {
  const last = answers.at(-1) ?? '';
  return /^(200|409 request_already_completed)$/.test(last) ? [] : [`the end is "${last}"`];
}
