// A stream's run over a real database, with a workflow and a clock that its test moves.
import type { Client } from '@temporalio/client';
import type { ExecutionContext } from 'ava';
import type { LiveListener } from '../../api/streams/interim.ts';
import { createStreamRegistry } from '../../api/streams/registry.ts';
import { createStreamRun, type RunAdmission } from '../../api/streams/run.ts';
import type { ChunkRequest } from '../../models/inference/jobs.ts';
import { anAccount, testDatabase } from './database.ts';
import { defaultBundles } from './default-bundles.ts';
import { fakeClock } from './fake-clock.ts';
import { createFakePool } from './fake-pool.ts';
import { streamCounts } from './stream-counts.ts';

type AccountOptions = Parameters<typeof anAccount>[1];

export interface StreamUnderTest {
  readonly start?: () => Promise<void>;
  readonly allowanceSeconds?: number;
  readonly live?: LiveListener | null;
}

/** What streams of an account of its own run on, with a pool that reads words in samples. */
export async function streamServices(
  t: ExecutionContext,
  { start = async () => {}, ...account }: { start?: () => Promise<void> } & AccountOptions = {},
) {
  const { db } = await testDatabase(t);
  const { organizationId, keyId } = await anAccount(db, { allowanceSeconds: 600, ...account });
  const works = createFakePool();
  const asked: ChunkRequest[] = [];
  const pool = createFakePool({
    analyze: (pcm, request, options) => {
      asked.push(request);
      return works.analyze(pcm, request, options);
    },
  });
  // The second of silence is not that of the machine.
  const tick = fakeClock(t);
  const client = {
    connection: { withDeadline: (_end: number, work: () => Promise<void>) => work() },
    workflow: { start },
  } as unknown as Client;
  const registry = createStreamRegistry();
  const counts = streamCounts();
  const services = {
    ...{ db, client, taskQueue: 'q', hostQueue: 'h', registry },
    ...{ pool, affect: () => null, bundles: defaultBundles, log: () => {} },
    ...{ acquireTurn: async () => () => {}, metrics: counts.metrics },
  };
  return { services, organizationId, keyId, asked, tick, counts };
}

/** A stream that was admitted. */
export async function aStream(
  t: ExecutionContext,
  { live = null, ...options }: StreamUnderTest = {},
) {
  const { services, counts, ...given } = await streamServices(t, options);
  const { organizationId, keyId, asked, tick } = given;
  const { db, registry } = services;
  const lost: unknown[] = [];
  const run = createStreamRun(services, { ticket: null, live });
  const admission: RunAdmission = {
    ...{
      organizationId,
      keyId,
      requestId: 'stream',
      plan: 'subscription',
      redaction: null,
      vocabulary: ['Kelly', 'Siobhan'],
      ticket: null,
    },
    ...{ task: 'transcription', model: 'svc-svceet', onCancel: () => {} },
    onLost: (error) => void lost.push(error),
  };
  const { attempt } = await run.admit(admission);
  const stream = registry.find({ organizationId, requestId: 'stream', attempt })!;
  /** Its workflow has got as far as to hold it. */
  const hold = (): void => stream.hold();
  const known = { services, admission, db, organizationId, counts };
  return { run, ...known, lost, tick, asked, hold, ended: stream.ended };
}
