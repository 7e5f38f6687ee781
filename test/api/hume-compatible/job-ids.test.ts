// The id of a job is the request's, as clients and the proxies before the service make it.
import test from 'ava';
import { humeJobsPath } from '../../../api/hume-compatible/routes.ts';
import { call } from '../../support/batches.ts';
import { testStack } from '../../support/stack.ts';

const ids = {
  'of a client': ['7c9e6679-7425-40de-944b-e07fc1f90ae7', '7c9e6679-7425-40de-944b-e07fc1f90ae7'],
  'of nginx': ['5a1f0c9d7be34ad18f0b7c2e91d4aa37', '5a1f0c9d-7be3-4ad1-8f0b-7c2e91d4aa37'],
  'of Envoy, in a sampled trace': [
    'a3bb189e-8bf9-9888-9912-ace4e6543002',
    'a3bb189e-8bf9-9888-9912-ace4e6543002',
  ],
} as const;

test('an id of a client or a proxy names one job', async (t) => {
  const stack = await testStack(t, { worker: false });
  const body = { models: { prosody: {} }, urls: [`${stack.base}/call.wav`] };
  const start = (requestId: string) =>
    call(stack, humeJobsPath, { method: 'POST', body, headers: { 'X-Request-ID': requestId } });
  for (const [name, [requestId, jobId]] of Object.entries(ids)) {
    for (const attempt of ['first', 'again']) {
      const { status, body: answer } = await start(requestId);
      t.deepEqual({ status, answer }, { status: 200, answer: { job_id: jobId } }, name + attempt);
    }
    const { body: job } = await call(stack, `${humeJobsPath}/${jobId}`);
    t.is(job.job_id, jobId, name);
  }
  const { body: jobs } = await call(stack, humeJobsPath);
  t.is(jobs.length, 3);
});
