// A folder that is watched: changes are seen once they have come to rest.
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { folderChange } from '../../../bin/client/folder-changes.ts';
import { withDirectory } from '../../support/speech.ts';

test('a file that appears, also in a folder below, ends the wait', async (t) => {
  await withDirectory(async (folder) => {
    const below = join(folder, 'monday');
    await mkdir(below);
    const { signal } = new AbortController();
    const except = join(folder, 'results');
    await mkdir(except);
    let isOver = false;
    const changed = folderChange(folder, { quietMs: 20, signal, except }).then(() => {
      isOver = true;
    });
    await writeFile(join(except, 'call.json'), '{}');
    t.false(isOver);
    await writeFile(join(below, 'call.wav'), 'RIFF');
    await t.notThrowsAsync(changed);
  });
});

test('what cannot be read does not end the wait', async (t) => {
  await withDirectory(async (folder) => {
    await symlink('loop.wav', join(folder, 'loop.wav'));
    const { signal } = new AbortController();
    const changed = folderChange(folder, { quietMs: 20, signal, except: join(folder, 'results') });
    await writeFile(join(folder, 'call.wav'), 'RIFF');
    await t.notThrowsAsync(changed);
  });
});

test('an interruption ends it, before and while it waits', async (t) => {
  await withDirectory(async (folder) => {
    const stop = new AbortController();
    const options = { quietMs: 1_000_000, signal: stop.signal, except: join(folder, 'out') };
    const waiting = folderChange(folder, options);
    stop.abort();
    await t.notThrowsAsync(waiting);
    await t.notThrowsAsync(folderChange(folder, options));
  });
});
