// Files that a tool of `svc mcp` writes.
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { writeNew } from '../../../bin/client/mcp/paths.ts';
import { withDirectory } from '../../support/speech.ts';

test('nothing is written over but the empty file that a killed call has left', async (t) => {
  await withDirectory(async (folder) => {
    const out = join(folder, 'deep', 'call.json');
    await writeNew(out, '');
    await writeNew(out, 'result');
    const link = join(folder, 'link.json');
    await symlink('nowhere', link);
    for (const path of [out, link, folder, '/dev/null'])
      await t.throwsAsync(writeNew(path, 'other'), {
        message: `${path} exists; choose a new file`,
      });
    t.is(await readFile(out, 'utf8'), 'result');
    await writeFile(out, '');
    await writeNew(out, 'another');
    t.is(await readFile(out, 'utf8'), 'another');
  });
});
