// A folder that is watched: changes are seen once they have come to rest.
import { appendFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import test from 'ava';
import { BulkFolder } from '../../../bin/client/bulk-folder.ts';
import { watchFolder } from '../../../bin/client/folder-changes.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { withDirectory } from '../../support/speech.ts';
import { until } from '../../support/until.ts';

test('a file that appears, also in a folder below, ends the wait', async (t) => {
  await withDirectory(async (folder) => {
    const below = join(folder, 'monday');
    await mkdir(below);
    const { signal } = new AbortController();
    const out = join(folder, 'results');
    await mkdir(out);
    let isOver = false;
    const changed = watchFolder(folder, { quietMs: 20, signal, out })
      .rested()
      .then(() => {
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
    const changed = watchFolder(folder, { quietMs: 20, signal, out: folder })
      .rested()
      .then(() => {
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
    const changed = watchFolder(folder, { quietMs: 20, signal, out }).rested();
    await writeFile(join(folder, 'call.wav'), 'RIFF');
    await t.notThrowsAsync(changed);
  });
});

test('what cannot be read does not end the wait', async (t) => {
  await withDirectory(async (folder) => {
    await symlink('loop.wav', join(folder, 'loop.wav'));
    const { signal } = new AbortController();
    const out = join(folder, 'results');
    const changed = watchFolder(folder, { quietMs: 20, signal, out }).rested();
    await writeFile(join(folder, 'call.wav'), 'RIFF');
    await t.notThrowsAsync(changed);
  });
});

test('an interruption ends it, before and while it waits', async (t) => {
  await withDirectory(async (folder) => {
    const stop = new AbortController();
    const options = { quietMs: 1_000_000, signal: stop.signal, out: join(folder, 'out') };
    const waiting = watchFolder(folder, options).rested();
    stop.abort();
    await t.notThrowsAsync(waiting);
    await t.notThrowsAsync(watchFolder(folder, options).rested());
  });
});

test.serial('a file that is being written is in no pass until it has come to rest', async (t) => {
  const advance = fakeClock(t);
  await withDirectory(async (folder) => {
    const stop = new AbortController();
    const out = join(folder, 'out');
    const { rested, isMoving } = watchFolder(folder, { quietMs: 3_000, signal: stop.signal, out });
    const found = async (): Promise<readonly string[]> => {
      const { files, unreadable } = await new BulkFolder(folder, out, isMoving).found();
      return [...files, ...unreadable].map(({ path }) => path);
    };
    const foundLater = async (): Promise<number> => {
      advance(3_000);
      return (await found()).length;
    };
    await writeFile(join(folder, 'first.wav'), 'all of it');
    await until(foundLater, (length) => length === 1);
    await appendFile(join(folder, 'growing.wav'), 'a part of it');
    await until(() => isMoving('growing.wav'));
    advance(2_999);
    // Of the first file: the pass that now begins must not take half of the second.
    await rested();
    t.deepEqual(await found(), ['first.wav']);
    await until(foundLater, (length) => length === 2);
    await rested();
    stop.abort();
  });
});
