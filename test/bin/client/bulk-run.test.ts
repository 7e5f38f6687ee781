// A bulk run: what its items are called on the service, and a batch that another run has collected,
// and what is said of a folder without a recording.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { customIdOf, type FoundFile } from '../../../bin/client/bulk-plan.ts';
import { BulkFolder } from '../../../bin/client/bulk-folder.ts';
import { runBulk, type BulkEvents } from '../../../bin/client/bulk-run.ts';
import { namesOf } from '../../../bin/client/mcp/paths.ts';
import { createSpeechClient } from '../../../clients/typescript/src/client.ts';
import { failure, scriptedServer } from '../../support/scripted-server.ts';
import { withDirectory } from '../../support/speech.ts';
import { callSvc } from '../../support/svc.ts';

const request = { task: 'emotion' } as Parameters<typeof runBulk>[0]['request'];
const counts = { total: 2, completed: 2, failed: 0, cancelled: 0 };
const ended = { id: 'batch_1', status: 'completed', request_counts: counts, progress: 1 };
const created = [{ body: { id: 'file-1' } }, { body: { id: 'file-2' } }, { body: ended }];

const resultsOf = (...paths: readonly string[]) => ({
  body: paths
    .map((path, index) => {
      const item = { custom_id: customIdOf(path), index, status: 'completed', error: null };
      return `${JSON.stringify({ ...item, result: { text: path }, metrics: null })}\n`;
    })
    .join(''),
});

const deleted = { body: { id: 'batch_1', deleted: true } };

/** One run over the folder, at a server with the same address each time. */
const runOver = (
  folder: string,
  baseUrl: string,
  { planned = () => {}, finished = () => {} }: Partial<BulkEvents> = {},
) =>
  runBulk(
    {
      ...{ folder, out: join(folder, 'out'), request, uploads: 1 },
      client: createSpeechClient({ baseUrl, apiKey: 'k', retries: { maxFailures: 0 } }),
      signal: new AbortController().signal,
    },
    { planned, progressed: () => {}, finished },
  );

test('an item has a name that the service takes, and no other file has it', (t) => {
  t.is(customIdOf('deep/call ä.wav'), 'deep/call ä.wav');
  const long = `${'a'.repeat(140)}/${'b'.repeat(20)}.wav`;
  const odd = [
    'a\nb.wav',
    'a\tb.wav',
    'a_b.wav',
    long,
    `c${long}`,
    '😀'.repeat(70),
    '😀'.repeat(71),
  ];
  const names = [...odd, 'x'.repeat(111) + '😀'.repeat(60)].map(customIdOf);
  t.is(new Set(names).size, names.length);
  for (const name of names) {
    t.true(name.length <= 128 && /^\P{Cc}+$/u.test(name) && name.isWellFormed(), name);
  }
  t.regex(names[3]!, /^[0-9a-f]{16}-a+\/b{20}\.wav$/, 'its end can be read');
  t.deepEqual(
    namesOf(['/a/b.wav', 'https://b.s3.example/x/b%20c.wav?X-Amz-Signature=00#1', 'ftp://a/b?c']),
    ['b.wav', 'b c.wav', 'b'],
  );
  const same = namesOf([`/1/${long}`, `/2/${'b'.repeat(200)}`, `/3/${'b'.repeat(200)}`]);
  t.is(new Set(same).size, 3);
  t.true(same.every((name) => name.length <= 128));
});

test('names that the service would refuse stop no run, and the next one knows them', async (t) => {
  const paths = ['a\nb.wav', `${'n'.repeat(140)}.wav`];
  const { baseUrl, received } = await scriptedServer(t, [
    ...created,
    failure(403, 'organization_suspended'),
    ...[{ body: ended }, resultsOf(...paths), deleted],
  ]);
  await withDirectory(async (folder) => {
    for (const path of paths) await writeFile(join(folder, path), path);
    t.like(await runOver(folder, baseUrl), { done: 0, failed: 0, left: 2 });
    const { items } = JSON.parse(received[2]!.body.toString()) as {
      readonly items: readonly { readonly custom_id: string }[];
    };
    t.deepEqual(
      items.map(({ custom_id: name }) => name),
      paths.map(customIdOf),
    );
    t.true(items.every(({ custom_id: name }) => /^\P{Cc}{1,128}$/u.test(name)));
    t.like(await runOver(folder, baseUrl), { done: 2, failed: 0, left: 0, failure: null });
    t.deepEqual(
      (await readdir(join(folder, 'out'))).toSorted(),
      [...paths.map((path) => `${path}.json`), 'journal.jsonl'].toSorted(),
    );
    t.is(received.length, 7);
  });
});

test('what another run has collected is not analysed again', async (t) => {
  const gone = failure(404, 'not_found');
  const ways = {
    'while it was waited for': [gone],
    'before its results were read': [{ body: ended }, gone],
    'before it was deleted': [{ body: ended }, resultsOf('a.wav'), gone],
  };
  for (const [when, answers] of Object.entries(ways)) {
    const { baseUrl, received } = await scriptedServer(t, [...created, ...answers]);
    await withDirectory(async (folder) => {
      const paths = ['a.wav', 'b.wav'];
      for (const path of paths) await writeFile(join(folder, path), path);
      const out = join(folder, 'out');
      const { files } = await new BulkFolder(folder, out).found();
      const other = (file: FoundFile): void => {
        const line = { ...file, request: JSON.stringify(request), outcome: 'done' };
        writeFileSync(join(out, `${file.path}.json`), '{}');
        appendFileSync(join(out, 'journal.jsonl'), `${JSON.stringify(line)}\n`);
      };
      const planned = (): void => {
        mkdirSync(out);
        files.forEach(other);
      };
      const summary = await runOver(folder, baseUrl, { planned });
      t.like(summary, { done: 2, failed: 0, left: 0, failure: null }, when);
      t.is(received.length, created.length + answers.length, when);
    });
  }
});

test('a batch that could not be deleted keeps no result back, and a later run does', async (t) => {
  const broken = failure(503, 'not_ready');
  const collected = [{ body: ended }, resultsOf('a.wav')];
  const answers = [created[0]!, created[2]!, ...collected, broken, ...collected, deleted, broken];
  const { baseUrl, received } = await scriptedServer(t, answers);
  await withDirectory(async (folder) => {
    await writeFile(join(folder, 'a.wav'), 'sound');
    const told: string[] = [];
    const finished: BulkEvents['finished'] = ({ path, outcome }) => told.push(`${path} ${outcome}`);
    const first = await runOver(folder, baseUrl, { finished });
    t.like(first, { done: 1, failed: 0, left: 0 });
    t.like(first.failure, { code: 'not_ready' });
    for (const run of ['second', 'third']) {
      const summary = await runOver(folder, baseUrl, { finished });
      t.like(summary, { done: 0, skipped: 1, left: 0, failure: null }, run);
    }
    t.deepEqual(told, ['a.wav done']);
    t.is(received.filter(({ method }) => method === 'DELETE').length, 2);
    t.is(received.length, 8, 'the third run asks for nothing');
  });
});

test('results of recordings that are gone from the folder are not deleted', async (t) => {
  const { baseUrl, received } = await scriptedServer(t, [
    ...[created[0]!, created[2]!, failure(403, 'organization_suspended')],
    failure(503, 'not_ready'),
  ]);
  await withDirectory(async (folder) => {
    const path = join(folder, 'a.wav');
    await writeFile(path, 'sound');
    t.like(await runOver(folder, baseUrl), { done: 0, left: 1 });
    await rm(path);
    t.like(await runOver(folder, baseUrl), { done: 0, left: 0, failure: null });
    t.is(received.length, 3);
  });
});

test('a folder without a recording is told, with what was left out', async (t) => {
  await withDirectory(async (folder) => {
    const environment = { SVC_BASE_URL: 'http://127.0.0.1:9', SVC_API_KEY: 'any' };
    const bulk = () => callSvc(environment, 'bulk', folder, '--out', join(folder, 'out'));
    const ending = /no recording in .*; they end in \.wav, .*\.webm\n0 analysed, .* 0 left\n$/;
    const { code, stderr } = await bulk();
    t.is(code, 0);
    t.regex(stderr, /^no recording in /);
    t.regex(stderr, ending);
    for (const name of ['a.wma', 'b.wma', 'c.aac', 'd']) await writeFile(join(folder, name), '');
    const others = await bulk();
    t.regex(others.stderr, /^4 other files were left out \(\.aac, \.wma, no ending\)\n/);
    t.regex(others.stderr, ending);
  });
});
