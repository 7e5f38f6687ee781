// A folder of recordings and of results: what is listed and read back, and what is ignored.
import { existsSync, rmSync } from 'node:fs';
import { chmod, mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { BulkFolder } from '../../../bin/client/bulk-folder.ts';
import { runBulk } from '../../../bin/client/bulk-run.ts';
import { createSpeechClient } from '../../../clients/typescript/src/client.ts';
import { withDirectory } from '../../support/speech.ts';

const file = { path: 'call.wav', sha256: 'hash of call.wav' };
const failed = { ...file, request: 'emotion', outcome: 'failed', code: 'audio_too_long' } as const;
const batch = { key: 'key', request: 'emotion', files: [file] };

test('the lines of a journal are read back; truncated and other lines are not', async (t) => {
  await withDirectory(async (directory) => {
    const folder = new BulkFolder(directory, directory);
    await folder.note(failed);
    await folder.note(batch);
    const path = join(directory, 'journal.jsonl');
    const lost = { ...file, request: 'emotion', outcome: 'lost' };
    const lines = [lost, { ...batch, files: ['call.wav'] }, null].map((line) =>
      JSON.stringify(line),
    );
    await writeFile(path, `${lines.join('\n')}\n{"path":"ca`, { flag: 'a' });
    t.deepEqual(await folder.journal(), { entries: [failed], batches: [batch] });
  });
});

test('a line that was cut short does not take the next one with it', async (t) => {
  await withDirectory(async (directory) => {
    await writeFile(join(directory, 'journal.jsonl'), '{"path":"ca');
    const folder = new BulkFolder(directory, directory);
    await folder.journal();
    await folder.note(failed);
    t.deepEqual((await folder.journal()).entries, [failed]);
  });
});

test('a full disk is told with the file and what to do, and leaves no part of it', async (t) => {
  if (!existsSync('/dev/full')) return void t.pass('only Linux has a device that is always full');
  await withDirectory(async (directory) => {
    const folder = new BulkFolder(directory, directory);
    await symlink('/dev/full', join(directory, 'journal.jsonl'));
    await t.throwsAsync(folder.note(failed), {
      message: /journal\.jsonl cannot be written \(no space left on device\); .*the same command/,
    });
  });
});

test('a result that cannot be written is told, and leaves no part of it', async (t) => {
  await withDirectory(async (directory) => {
    await mkdir(join(directory, 'call.wav.json'));
    const folder = new BulkFolder(directory, directory);
    await t.throwsAsync(folder.writeResult('call.wav', { object: 'speech.result' }), {
      message: /call\.wav\.json cannot be written \(.*\); .*the same command/,
    });
    t.deepEqual(await readdir(directory), ['call.wav.json']);
  });
});

test('two runs write the same result, and each finds its own part', async (t) => {
  await withDirectory(async (directory) => {
    const runs = [1, 2].map(() => new BulkFolder(directory, directory));
    const results = runs.map((_, i) => ({ text: `${i}`.repeat(200_000 * (i + 1)) }));
    for (let i = 0; i < 10; i += 1) {
      await Promise.all(runs.map((run, at) => run.writeResult('call.wav', results[at]!)));
      const text = await readFile(join(directory, 'call.wav.json'), 'utf8');
      t.true(results.some((result) => JSON.stringify(result) === text));
    }
    t.deepEqual(await readdir(directory), ['call.wav.json']);
  });
});

test('links to files are followed; what is left out is listed, but for results', async (t) => {
  await withDirectory(async (directory) => {
    const [folder, out] = [join(directory, 'calls'), join(directory, 'calls', 'out')];
    await mkdir(join(folder, 'deep.wav'), { recursive: true });
    await mkdir(out);
    await writeFile(join(directory, 'elsewhere'), 'sound');
    for (const path of ['a.wma', 'deep.wav/b.wav', 'out/c.wav.json', `${'n'.repeat(250)}.wav`])
      await writeFile(join(folder, path), path);
    await symlink('../elsewhere', join(folder, 'linked.wav'));
    await symlink('nowhere', join(folder, 'lost.wav'));
    await symlink('..', join(folder, 'deep.wav', 'circle.mp3'));
    const { files, unreadable, leftOut } = await new BulkFolder(folder, out).found();
    t.deepEqual(
      files.map(({ path }) => path),
      ['deep.wav/b.wav', 'linked.wav'],
    );
    t.deepEqual(
      unreadable.map(({ path, message }) => [path.slice(0, 9), message]),
      [
        ['lost.wav', 'no such file or directory'],
        ['nnnnnnnnn', 'the name is too long for that of its result; rename it'],
      ],
    );
    t.deepEqual(leftOut.toSorted(), ['a.wma', 'deep.wav/circle.mp3']);
  });
});

test('a folder that takes no folders is told', async (t) => {
  if (!existsSync('/proc/self')) return void t.pass('only Linux has one');
  const folder = new BulkFolder('/proc/none', '/proc/none/deep');
  await t.throwsAsync(folder.note(failed), { message: /\/proc\/none\/deep.* cannot be written/ });
});

test('what cannot be read is listed with its reason, and the rest as ever', async (t) => {
  if (process.platform !== 'linux') return void t.pass('only Linux has names that are no text');
  await withDirectory(async (directory) => {
    await mkdir(join(directory, 'deep', 'er'), { recursive: true });
    for (const path of ['b.wav', 'deep/er/c.wav', 'deep/a.mp3', 'closed.wav'])
      await writeFile(join(directory, path), path);
    const other = (name: string) => Buffer.from(`${directory}/${name}`, 'latin1');
    await mkdir(other('deep/\xfcber'));
    await writeFile(other('caf\xe9.wav'), 'sound');
    await chmod(join(directory, 'closed.wav'), 0);
    const { files, unreadable } = await new BulkFolder(directory, directory).found();
    const isRoot = process.getuid?.() === 0;
    t.deepEqual(
      files.map(({ path }) => path),
      ['b.wav', ...(isRoot ? ['closed.wav'] : []), 'deep/a.mp3', 'deep/er/c.wav'],
    );
    const renamed = 'the name is not UTF-8; rename it';
    t.deepEqual(unreadable, [
      { path: 'deep/\uFFFDber', message: renamed },
      { path: 'caf\uFFFD.wav', message: renamed },
      ...(isRoot ? [] : [{ path: 'closed.wav', message: 'permission denied' }]),
    ]);
  });
});

test('a recording that is gone before it is sent fails by itself', async (t) => {
  await withDirectory(async (folder) => {
    const path = join(folder, 'a.wav');
    await writeFile(path, 'sound');
    const client = createSpeechClient({ baseUrl: 'http://127.0.0.1:9', apiKey: 'k' });
    const request = { task: 'analysis' } as Parameters<typeof runBulk>[0]['request'];
    const { signal } = new AbortController();
    const outcomes: object[] = [];
    const summary = await runBulk(
      { folder, out: join(folder, 'out'), client, request, uploads: 1, signal },
      {
        planned: () => rmSync(path),
        progressed: () => {},
        finished: (outcome) => outcomes.push(outcome),
      },
    );
    t.like(summary, { done: 0, failed: 1, left: 0, failure: null });
    const message = 'no such file or directory';
    t.like(outcomes, [{ path: 'a.wav', code: 'unreadable_file', message, final: false }]);
  });
});
