// `svc analyze` and `svc bulk` against a real service: results, failures, resumption, exit codes.
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import {
  groupFiles,
  openBatches,
  planBulk,
  type JournalEntry,
} from '../../../bin/client/bulk-plan.ts';
import { changeTerms, setStorageQuota, setSuspended } from '../../../db/organizations.ts';
import { speech, tone, toWav, withDirectory } from '../../support/speech.ts';
import { testStack, untilReady, type TestStack } from '../../support/stack.ts';
import { callSvc, type Ended } from '../../support/svc.ts';
import { settledTraces } from '../../support/traces.ts';

const call = ({ base, account }: TestStack, ...args: readonly string[]): Promise<Ended> =>
  callSvc({ SVC_BASE_URL: base, SVC_API_KEY: account.key }, ...args);

const linesOf = (text: string): readonly any[] =>
  text
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** Of a WAV with a plain header. */
async function samplesOf(path: string): Promise<Int16Array> {
  const { buffer, byteOffset, length } = (await readFile(path)).subarray(44);
  return new Int16Array(buffer.slice(byteOffset, byteOffset + length));
}

test('analyze prints the result, or says what cannot be analysed', async (t) => {
  const stack = await testStack(t);
  await untilReady(stack);
  await withDirectory(async (folder) => {
    const good = join(folder, 'good.wav');
    const bad = join(folder, 'bad.wav');
    await writeFile(good, toWav(await speech('Please call me back tomorrow morning.')));
    await writeFile(bad, 'this is no audio at all');
    const shown = await call(stack, 'analyze', good);
    t.is(shown.code, 0, shown.stderr);
    t.regex(shown.stdout, /call me back/i);
    t.regex(shown.stdout, /real-time factor/);
    const both = await call(stack, 'analyze', '--json', '--task', 'emotion', good, bad);
    t.is(both.code, 2);
    const [first, second] = linesOf(both.stdout);
    t.is(first.result.task, 'emotion');
    t.is(second.error.code, 'unsupported_audio');
    const line = join(folder, 'result.json');
    const analysed = await call(stack, 'analyze', '--json', '--diarize', good);
    await writeFile(line, analysed.stdout);
    const vtt = await call(stack, 'export', line, '--format', 'vtt');
    t.regex(vtt.stdout, /^WEBVTT\n\n00:00:00\.\d+ --> 00:00:0\d\.\d+\n<v speaker_0>.*call me/i);
    const removal = ['--redact', 'phone', '--redact-names', 'Back'] as const;
    const redacted = await call(stack, 'analyze', '--json', ...removal, good);
    t.regex(redacted.stdout, /"text":"Please call me \[NAME\] /i);
    t.false(/\bback\b/i.test(redacted.stdout));
    await writeFile(line, redacted.stdout);
    const beeped = join(folder, 'beeped.wav');
    const cover = ['--audio', good, '--out', beeped, '--cover', 'silence'] as const;
    const [removed] = linesOf((await call(stack, 'redact', line, ...cover)).stdout);
    t.is(removed.kind, 'name');
    const samples = await samplesOf(beeped);
    const [from, to] = [removed.start, removed.end].map((seconds) => Math.round(16_000 * seconds));
    t.true(samples.subarray(from, to).every((sample) => sample === 0));
    t.true(samples.subarray(0, from! - 2_000).some((sample) => Math.abs(sample) > 1_000));
    const none = await call(stack, 'export', line, '--format', 'docx');
    t.regex(none.stderr, /--format takes srt, vtt, txt, rttm, csv, html, metrics/);
    const wrong = await call(stack, 'analyze', '--task', 'poetry', good);
    t.is(wrong.code, 1);
    t.regex(wrong.stderr, /--task must be one of transcription/);
  });
});

test('bulk continues where it stopped, and charges nothing twice', async (t) => {
  const stack = await testStack(t);
  await untilReady(stack);
  await withDirectory(async (folder) => {
    const calls = join(folder, 'calls');
    const out = join(folder, 'out');
    await mkdir(join(calls, 'deep'), { recursive: true });
    for (const [i, name] of ['a.wav', 'b.wav', 'deep/c.wav', 'd.WAV'].entries()) {
      await writeFile(join(calls, name), toWav(tone(200 + 50 * i, 1)));
    }
    await writeFile(join(calls, 'notes.txt'), 'no recording');
    await writeFile(join(calls, 'broken.mp3'), 'no audio');
    const bulk = () => call(stack, 'bulk', calls, '--out', out, '--task', 'emotion', '--json');
    const first = await bulk();
    t.is(first.code, 2, first.stderr);
    t.is(linesOf(first.stdout).length, 5);
    t.regex(first.stderr, /4 analysed, 0 from an earlier run, 1 failed, 0 left/);
    const result = JSON.parse(await readFile(join(out, 'deep/c.wav.json'), 'utf8'));
    t.is(result.task, 'emotion');
    t.is(result.metrics.duration_seconds, 1);
    const again = await bulk();
    t.is(again.code, 2);
    t.regex(again.stderr, /0 analysed, 4 from an earlier run, 1 failed, 0 left/);
    await rm(join(out, 'a.wav.json'));
    await writeFile(join(calls, 'b.wav'), toWav(tone(700, 1)));
    await rm(join(calls, 'broken.mp3'));
    const third = await bulk();
    t.is(third.code, 0, third.stderr);
    t.regex(third.stderr, /2 analysed, 2 from an earlier run, 0 failed, 0 left/);
    t.deepEqual((await readdir(out)).toSorted(), [
      ...['a.wav.json', 'b.wav.json', 'd.WAV.json', 'deep', 'journal.jsonl'],
    ]);
  });
  const left = await settledTraces(stack);
  t.is(left.debits.length, 6);
  t.deepEqual(left.objectKeys, [], 'audio and results are deleted');
});

test('what the account does not allow is left, and goes on once it does', async (t) => {
  const stack = await testStack(t, { allowanceSeconds: 2 });
  await untilReady(stack);
  const { db, account } = stack;
  const { organizationId } = account;
  const change = { organizationId, actor: 'test' };
  await withDirectory(async (folder) => {
    const out = join(folder, 'out');
    for (const [name, seconds] of [
      ['short.wav', 1],
      ['long.wav', 4],
    ] as const)
      await writeFile(join(folder, name), toWav(tone(300, seconds)));
    const bulk = () => call(stack, 'bulk', folder, '--out', out, '--task', 'emotion');
    await setSuspended(db, { ...change, suspended: true });
    const suspended = await bulk();
    t.is(suspended.code, 1);
    t.regex(suspended.stderr, /^0 analysed, .* 0 failed, 2 left\nsvc: [^\n]*suspended[^\n]*\n$/);
    await setSuspended(db, { ...change, suspended: false });
    const short = await bulk();
    t.is(short.code, 1);
    t.regex(short.stderr, /^1 analysed, .* 0 failed, 1 left\nsvc: [^\n]*needs 4 seconds[^\n]*\n$/);
    await changeTerms(db, {
      ...change,
      termsAfter: ({ plan, overageSeconds }) => ({ plan, overageSeconds, allowanceSeconds: 60 }),
    });
    const last = await bulk();
    t.is(last.code, 0, last.stderr);
    t.regex(last.stderr, /1 analysed, 1 from an earlier run, 0 failed, 0 left/);
    for (const name of ['c.wav', 'd.wav'])
      await writeFile(join(folder, name), toWav(tone(name === 'c.wav' ? 400 : 500, 1)));
    await setStorageQuota(db, { ...change, bytes: null, files: 1 });
    const full = await bulk();
    t.is(full.code, 2);
    t.regex(full.stderr, /wav: storage_quota_exceeded: .*\n1 analysed, .* 1 failed, 0 left\n$/);
    const emptied = await bulk();
    t.is(emptied.code, 0, emptied.stderr);
    t.regex(emptied.stderr, /1 analysed, 3 from an earlier run, 0 failed, 0 left/);
  });
});

test('a recording is identified by content, path and request', (t) => {
  const files = ['a', 'b', 'c', 'd'].map((path) => ({ path, sha256: `hash of ${path}` }));
  const request = 'analysis with diarize';
  const line = (i: number, more: Partial<JournalEntry>): JournalEntry => ({
    ...files[i]!,
    request,
    outcome: 'done',
    ...more,
  });
  const journal = [
    line(0, {}),
    line(1, { request: 'emotion' }),
    line(2, { outcome: 'failed', code: 'audio_too_long', final: true }),
    line(3, { outcome: 'failed', code: 'unreachable', final: false }),
  ];
  const { pending, done, rejected } = planBulk(files, journal, request);
  t.deepEqual(
    [pending, done, rejected].map((list) => list.map(({ path }) => path)),
    [['b', 'd'], ['a'], ['c']],
  );
});

test('batches of an earlier run are found again, and no file is in two of them', (t) => {
  const files = Array.from({ length: 450 }, (_, i) => ({ path: `${i}`, sha256: `hash ${i}` }));
  const groups = groupFiles(files, [], 'r');
  t.deepEqual(
    groups.map((group) => group.files.length),
    [200, 200, 50],
  );
  t.deepEqual(groupFiles(files, [], 'r'), groups, 'the same files make the same key');
  const [first, second] = groups;
  const created = { ...second!, id: 'batch_1' };
  const journal = { entries: [], batches: [first!, second!, created] };
  // One file of each was done: the second one is known to exist, the first may never have been
  // made.
  const todo = files.filter(({ path }) => path !== '0' && path !== '200');
  t.deepEqual(openBatches(journal, 'r', todo), [created]);
  t.deepEqual(openBatches(journal, 'another', todo), []);
  const rest = groupFiles(todo, [created], 'r');
  t.is(rest.flatMap((group) => group.files).length, 450 - 200 - 1);
});
