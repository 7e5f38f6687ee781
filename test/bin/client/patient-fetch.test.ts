// Commands that run for long wait for a service that is exchanged, and for no wrong address.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { customIdOf } from '../../../bin/client/bulk-plan.ts';
import { runBulk } from '../../../bin/client/bulk-run.ts';
import { patientFetch } from '../../../bin/client/patient-fetch.ts';
import { createSpeechClient } from '../../../clients/typescript/src/client.ts';
import { failure, scriptedServer, type ScriptedAnswer } from '../../support/scripted-server.ts';
import { withDirectory } from '../../support/speech.ts';

/** A fetch at the server whose pauses pass at once, and are noted in seconds. */
async function patientAt(t: ExecutionContext, answers: readonly ScriptedAnswer[]) {
  const { baseUrl, received } = await scriptedServer(t, answers);
  const told: string[] = [];
  const pauses: number[] = [];
  let nowMs = 0;
  const fetch = patientFetch({
    baseUrl,
    tell: (line) => told.push(line),
    now: () => nowMs,
    pause: async (ms) => {
      nowMs += ms;
      pauses.push(ms / 1_000);
    },
  });
  const client = createSpeechClient({ baseUrl, apiKey: 'k', retries: { maxFailures: 1 }, fetch });
  const paths = (): readonly string[] => received.map(({ path }) => path);
  return { client, baseUrl, paths, told, pauses };
}

const broken: ScriptedAnswer = { breaks: true };
const away = failure(503, 'not_ready');
const probe = '/readyz?of=api';

test('a bulk run goes on once its service is back, and says that it waits', async (t) => {
  const counts = { total: 1, completed: 1, failed: 0, cancelled: 0 };
  const batch = { id: 'b', status: 'in_progress', request_counts: counts, progress: 0 };
  const item = { custom_id: customIdOf('a.wav'), index: 0, status: 'completed', error: null };
  const { client, baseUrl, paths, told, pauses } = await patientAt(t, [
    { body: { id: 'file-1' } },
    { body: batch },
    ...[broken, broken, away, { status: 502, body: '<html>' }, away, away, away, { body: {} }],
    { body: { ...batch, status: 'completed' } },
    { body: `${JSON.stringify({ ...item, result: { text: 'a' }, metrics: null })}\n` },
    { body: { id: 'b', deleted: true } },
  ]);
  const request = { task: 'emotion' } as const;
  const events = { planned: () => {}, progressed: () => {}, finished: () => {} };
  await withDirectory(async (folder) => {
    await writeFile(join(folder, 'a.wav'), 'sound');
    const { signal } = new AbortController();
    const run = { folder, out: join(folder, 'out'), request, uploads: 1, client, signal };
    t.like(await runBulk(run, events), { done: 1, left: 0, failure: null });
  });
  t.deepEqual(pauses, [1, 2, 4, 8, 15, 15]);
  t.deepEqual(told, [`${baseUrl} is not ready; waiting up to 5 minutes for it`]);
  t.is(paths().filter((path) => path === probe).length, 7);
});

test('a service that does not come back is an error after some minutes', async (t) => {
  const { client, told, pauses } = await patientAt(t, [{ body: {} }, away]);
  await client.models();
  await t.throwsAsync(client.models(), { message: 'It is not_ready.' });
  const waited = pauses.reduce((sum, each) => sum + each, 0);
  t.true(waited > 300 && waited < 330, String(waited));
  t.is(told.length, 1);
});

test('an address where nothing has answered is not waited for', async (t) => {
  for (const answer of [
    { status: 502, body: '<html>' },
    { status: 503, body: 'away' },
  ]) {
    const { client, paths, told } = await patientAt(t, [answer]);
    await t.throwsAsync(client.models());
    t.deepEqual([paths().length, told.length], [2, 0]);
  }
  const lines: string[] = [];
  const fetch = patientFetch({ baseUrl: 'http://127.0.0.1:9', tell: (line) => lines.push(line) });
  await t.throwsAsync(fetch('http://127.0.0.1:9/v1/models'));
  t.deepEqual(lines, []);
});

test('who stops a command does not wait for the service', async (t) => {
  const { baseUrl } = await scriptedServer(t, [{ body: {} }, broken]);
  const stop = new AbortController();
  const fetch = patientFetch({ baseUrl, tell: () => stop.abort() });
  await fetch(baseUrl);
  await t.throwsAsync(fetch(baseUrl, { signal: stop.signal }), { message: /fetch failed/ });
});
