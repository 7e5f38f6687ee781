// The limits of a key hold over both APIs together: calls at once, and requests in a minute.
import { randomUUID } from 'node:crypto';
import type { FaultOutcome } from '../../faults/fault.ts';
import { send } from '../../faults/send.ts';
import { anAccount, type TestAccount } from '../../support/database.ts';
import { call } from '../../support/batches.ts';
import { together } from '../../faults/fault.ts';
import { tenSeconds, type CheckOptions } from '../under-load.ts';
import type { Cluster } from '../cluster.ts';

const maxConcurrent = 4;
const atOnce = 16;
const perMinute = 40;
const requests = 100;
const wide = { maxConcurrent: 256, requestsPerMinute: 3_000 };

export async function limits({ cluster }: CheckOptions): Promise<FaultOutcome> {
  const terms = { allowanceSeconds: 36_000 };
  const narrow = await anAccount(cluster.db, { ...terms, limits: { ...wide, maxConcurrent } });
  const slow = await anAccount(cluster.db, {
    ...terms,
    limits: { ...wide, requestsPerMinute: perMinute },
  });
  return together([await concurrency(cluster, narrow), await rate(cluster, slow)]);
}

const apiOf = (cluster: Cluster, i: number): string =>
  cluster.apiBase(i % 2 === 0 ? 'api-a' : 'api-b');

/** All arrive before the first of them can have its answer. */
async function concurrency(cluster: Cluster, { key }: TestAccount): Promise<FaultOutcome> {
  const file = await tenSeconds();
  const calls = Array.from({ length: atOnce }, async (_, i) => {
    const api = i % 2 === 0 ? 'api-a' : 'api-b';
    const answer = await send(apiOf(cluster, i), { key, id: randomUUID(), file });
    return { api, answer, at: performance.now() };
  });
  const ended = await Promise.all(calls);
  const admitted = ended.filter(({ answer }) => answer === '200');
  const limited = ended.filter(({ answer }) => answer === '429 rate_limited');
  const first = Math.min(...admitted.map(({ at }) => at));
  const late = limited.filter(({ at }) => at > first).length;
  const by = (api: string): number => admitted.filter((each) => each.api === api).length;
  const figure =
    `${atOnce} calls at once, ${maxConcurrent} allowed: ${admitted.length} admitted ` +
    `(${by('api-a')} and ${by('api-b')}), ${limited.length} rejected`;
  const isExact =
    admitted.length === maxConcurrent && limited.length === atOnce - maxConcurrent && late === 0;
  return { figures: [figure], broken: isExact ? [] : [figure] };
}

async function rate(cluster: Cluster, account: TestAccount): Promise<FaultOutcome> {
  const began = performance.now();
  const statuses = await Promise.all(
    Array.from({ length: requests }, async (_, i) => {
      const { status } = await call({ base: apiOf(cluster, i), account }, '/v1/batches');
      return status;
    }),
  );
  const seconds = (performance.now() - began) / 1_000;
  const [passed, limited] = [200, 429].map((each) => statuses.filter((s) => s === each).length);
  const figure =
    `${requests} requests in ${seconds.toFixed(1)} s, ${perMinute} a minute allowed: ` +
    `${passed} passed, ${limited} rejected`;
  const isExact = passed === perMinute && limited === requests - perMinute && seconds < 60;
  return { figures: [figure], broken: isExact ? [] : [figure] };
}
