// A repeat that joins the work in progress: one deadline for all that its caller waits.
import { once } from 'node:events';
import test, { type ExecutionContext } from 'ava';
import type { RunRequest } from '../../../api/runs/run-request.ts';
import { createRuns } from '../../../api/runs/runs.ts';
import { endOfWait } from '../../../api/runs/workflow-runs.ts';
import { withOwnedObjects } from '../../../api/upload/owned-objects.ts';
import type { Db } from '../../../db/database.ts';
import { failRequest, requestState } from '../../../db/requests.ts';
import { ServiceError } from '../../../models/contract/errors.ts';
import { anAccount, testDatabase } from '../../support/database.ts';
import { testObjectStore } from '../../support/object-store.ts';
import { until } from '../../support/until.ts';

/** Deadlines that pass when a test says so, in the order in which they are asked for. */
function deadlines(t: ExecutionContext): readonly AbortController[] {
  const asked: AbortController[] = [];
  const given = Object.getOwnPropertyDescriptor(AbortSignal, 'timeout')!;
  AbortSignal.timeout = () => {
    const deadline = new AbortController();
    asked.push(deadline);
    return deadline.signal;
  };
  t.teardown(() => Object.defineProperty(AbortSignal, 'timeout', given));
  return asked;
}

/** Sends one request, and again while it runs; its workflows start, and never end. */
async function sentTwice(t: ExecutionContext, db: Db) {
  const asked = deadlines(t);
  const objects = await testObjectStore(t);
  const { organizationId, keyId } = await anAccount(db);
  const started: number[] = [];
  const ended: number[] = [];
  const workflows = {
    start: async ({ attempt }: { readonly attempt: number }) => {
      started.push(attempt);
      return { attempt };
    },
    result: async (_: unknown, end: AbortSignal) => {
      if (!end.aborted) await once(end, 'abort');
      throw endOfWait(end);
    },
    terminate: async ({ attempt }: { readonly attempt: number }) => void ended.push(attempt),
  };
  const runs = createRuns({
    ...{ db, objects, workflows, answerDeadlineMs: 600_000 },
    completions: { next: () => ({ completed: new Promise(() => {}), stop: () => {} }) },
  } as unknown as Parameters<typeof createRuns>[0]);
  t.teardown(() => runs.close());
  /** @returns the code of its error */
  const send = async (): Promise<string> => {
    const answer = withOwnedObjects({ db, objects }, (owner) =>
      runs.runStored({
        ...{ organizationId, keyId, requestId: 'a', task: 'affect', model: 'svc-resonance-2' },
        options: { diarize: false, numSpeakers: null, includeLogits: true },
        ...{ redaction: null, vocabulary: [], answer: { regime: 'f1' }, repeats: 'run-again' },
        upload: { key: 'uploads/a', container: 'flac', bytes: 9, sha256: 'a', owner },
      } as RunRequest),
    );
    return (await t.throwsAsync(answer, { instanceOf: ServiceError })).code;
  };
  const first = send();
  await until(() => started.length === 1);
  const repeat = send();
  await until(() => asked.length === 2);
  const ref = { organizationId, requestId: 'a', attempt: 1 };
  return { runs, asked, started, ended, ref, codes: [first, repeat] as const };
}

test.serial(
  'a repeat that waits until its deadline is told so, and not of a conflict',
  async (t) => {
    const { db } = await testDatabase(t);
    const { asked, started, ref, codes } = await sentTwice(t, db);
    const [first, repeat] = codes;
    asked[1]!.abort();
    t.is(await repeat, 'timeout');
    t.is(await requestState(db, ref), 'admitted', 'the work goes on');
    asked[0]!.abort();
    t.is(await first, 'timeout');
    t.deepEqual(started, [1]);
  },
);

test.serial('what a repeat waits for the run in progress is part of its deadline', async (t) => {
  const { db } = await testDatabase(t);
  const { asked, started, ref, codes } = await sentTwice(t, db);
  await failRequest(db, ref, { code: 'internal_error', message: 'It was lost.', param: null });
  await until(() => started.length === 2);
  for (const deadline of asked) deadline.abort();
  t.deepEqual(await Promise.all(codes), ['timeout', 'timeout']);
  t.is(asked.length, 2, 'one for each');
  t.deepEqual(started, [1, 2]);
});

test.serial('a repeat does not outlast the process that it waits in', async (t) => {
  const { db } = await testDatabase(t);
  const { runs, started, ended, codes } = await sentTwice(t, db);
  runs.close();
  t.deepEqual(await Promise.all(codes), ['not_ready', 'not_ready']);
  t.deepEqual(ended, started, 'whatever was started has ended');
  const { state } = await db.selectFrom('requests').select('state').executeTakeFirstOrThrow();
  t.is(state, 'failed');
});
