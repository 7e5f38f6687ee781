// What API and workers log in success and failure: lines of JSON that say why.
import test from 'ava';
import { speech, toWav } from '../support/speech.ts';
import { postFile, testStack, untilReady } from '../support/stack.ts';
import { until } from '../support/until.ts';

/** A failure that only a bug causes: one request fails with a server error. */
const broken = [
  {
    file: 'activities/settle-recording.ts',
    from: '  const result = await resultOf(',
    to: `  if (recording.requestId === 'broken') throw new Error('broken on purpose');
  const result = await resultOf(`,
  },
  {
    file: 'activities/failures.ts',
    from: 'if (error instanceof RequestNotRunning) {',
    to: 'if (error instanceof RequestNotRunning || /on purpose/.test(String(error))) {',
  },
];

/** The second of two signals counts at once. */
const hasty = [
  {
    file: 'bin/process/key-presses.ts',
    from: 'const samePressMs = 700;',
    to: 'const samePressMs = 0;',
  },
];

test('every line is JSON, and a server error is logged with its cause', async (t) => {
  const text: string[] = [];
  const stack = await testStack(t, {
    worker: false,
    streams: true,
    apiEnvironment: { SVC_DRAIN_SECONDS: '300' },
    onLog: (line) => text.push(line),
  });
  const worker = await stack.startWorker(broken);
  const api = await stack.startApi(hasty);
  await untilReady(stack);
  const at = { ...stack, base: api.base };
  const file = toWav(await speech('All of this is about a purple elephant.'));
  const path = '/v1/audio/analysis';
  t.is((await postFile(at, path, { file, requestId: 'good' })).status, 200);
  const cut = file.subarray(0, 20_000);
  t.is((await postFile(at, path, { file: cut, requestId: 'cut' })).status, 400);
  const failed = await postFile(at, path, { file, requestId: 'broken' });
  t.is(failed.status, 500);
  t.notRegex(JSON.stringify(failed.body), /on purpose/);
  // Including the lines of a process's end.
  const ended = [worker, api.child].map((child) => new Promise((end) => child.once('close', end)));
  worker.kill('SIGTERM');
  api.child.kill('SIGTERM');
  // Proxies leave it out meanwhile; it still answers, and keeps no connection.
  const asked = (): Promise<Response> => fetch(`${api.base}/readyz`);
  const left = await until(asked, ({ status }) => status === 503);
  t.regex(await left.text(), /process \(stopping\)/);
  t.is((await fetch(`${api.base}/readyz?of=api`)).status, 503);
  t.is((await fetch(`${api.base}/livez`)).headers.get('Connection'), 'close');
  api.child.kill('SIGTERM');
  await Promise.all(ended);

  const lines = text.map((line) => {
    try {
      return JSON.parse(line) as any;
    } catch {
      t.fail(`no JSON: ${line}`);
      return {};
    }
  });
  t.deepEqual([...new Set(lines.map(({ name }) => String(name)))].toSorted(), [
    'api',
    'batch-worker',
    'stream-worker',
  ]);
  const [answer] = lines.filter(({ requestId, code }) => requestId === 'broken' && code);
  t.like(answer, { name: 'api', level: 50, code: 'internal_error' });
  t.regex(JSON.stringify(answer.err), /broken on purpose/);
  const reasons = lines.filter(({ msg }) => msg === 'activity failed');
  t.deepEqual(
    reasons.map(({ name, level, error }) => [name, level, error.code ?? error.message]),
    [
      ['batch-worker', 40, 'audio_undecodable'],
      ['batch-worker', 50, 'broken on purpose'],
    ],
  );
  for (const { error } of lines.filter(({ msg }) => /failed/i.test(msg ?? ''))) {
    if (error !== undefined) t.truthy(error.message, JSON.stringify(error));
  }
  t.notRegex(text.join(''), /elephant/);
});
