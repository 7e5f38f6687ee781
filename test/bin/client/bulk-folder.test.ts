// The journal beside the results of a folder: what is read back, and what is ignored.
import { existsSync } from 'node:fs';
import { readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { BulkFolder } from '../../../bin/client/bulk-folder.ts';
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
    await symlink('/dev/full', join(directory, 'call.wav.json.part'));
    const folder = new BulkFolder(directory, directory);
    await t.throwsAsync(folder.writeResult('call.wav', { object: 'speech.result' }), {
      message: /call\.wav\.json cannot be written \(no space left on device\); .*the same command/,
    });
    t.deepEqual(await readdir(directory), []);
    await symlink('/dev/full', join(directory, 'journal.jsonl'));
    await t.throwsAsync(folder.note(failed), { message: /journal\.jsonl cannot be written/ });
  });
});

test('a folder that takes no folders is told', async (t) => {
  if (!existsSync('/proc/self')) return void t.pass('only Linux has one');
  const folder = new BulkFolder('/proc/none', '/proc/none/deep');
  await t.throwsAsync(folder.note(failed), { message: /\/proc\/none\/deep.* cannot be written/ });
});
