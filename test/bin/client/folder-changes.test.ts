// A folder that is watched: changes are seen once they have come to rest.
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import test from 'ava';
import { folderChange } from '../../../bin/client/folder-changes.ts';
import { withDirectory } from '../../support/speech.ts';

test('a file that appears, also in a folder below, ends the wait', async (t) => {
  await withDirectory(async (folder) => {
    const below = join(folder, 'monday');
    await mkdir(below);
    const { signal } = new AbortController();
    const out = join(folder, 'results');
    await mkdir(out);
    let isOver = false;
    const changed = folderChange(folder, { quietMs: 20, signal, out }).then(() => {
      isOver = true;
    });
    await writeFile(join(out, 'call.json'), '{}');
    t.false(isOver);
    await writeFile(join(below, 'call.wav'), 'RIFF');
    await t.notThrowsAsync(changed);
  });
});

test('beside the recordings, too, results do not end the wait', async (t) => {
  await withDirectory(async (folder) => {
    const { signal } = new AbortController();
    let isOver = false;
    const changed = folderChange(folder, { quietMs: 20, signal, out: folder }).then(() => {
      isOver = true;
    });
    for (const name of ['call.wav.json', 'journal.jsonl', '.call.part'])
      await writeFile(join(folder, name), '{}');
    await setTimeout(200);
    t.false(isOver);
    await writeFile(join(folder, 'call.wav'), 'RIFF');
    await t.notThrowsAsync(changed);
  });
});

test('results that are elsewhere hide no recording', async (t) => {
  await withDirectory(async (out) => {
    const folder = join(out, 'calls');
    await mkdir(folder);
    const { signal } = new AbortController();
    const changed = folderChange(folder, { quietMs: 20, signal, out });
    await writeFile(join(folder, 'call.wav'), 'RIFF');
    await t.notThrowsAsync(changed);
  });
});

test('what cannot be read does not end the wait', async (t) => {
  await withDirectory(async (folder) => {
    await symlink('loop.wav', join(folder, 'loop.wav'));
    const { signal } = new AbortController();
    const changed = folderChange(folder, { quietMs: 20, signal, out: join(folder, 'results') });
    await writeFile(join(folder, 'call.wav'), 'RIFF');
    await t.notThrowsAsync(changed);
  });
});

test('an interruption ends it, before and while it waits', async (t) => {
  await withDirectory(async (folder) => {
    const stop = new AbortController();
    const options = { quietMs: 1_000_000, signal: stop.signal, out: join(folder, 'out') };
    const waiting = folderChange(folder, options);
    stop.abort();
    await t.notThrowsAsync(waiting);
    await t.notThrowsAsync(folderChange(folder, options));
  });
});
