// Folders that set-up cannot work with are named, with what to do.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'ava';

const root = join(import.meta.dirname, '../../..');
const url = (name: string): string => pathToFileURL(join(root, 'bin/setup', name)).href;
const { describeDenied, requireModelsFolder, requireUsablePath, requireWritable } = (await import(
  url('usable-folders.mjs')
)) as {
  describeDenied: (error: object) => Error | null;
  requireModelsFolder: (folder?: string) => void;
  requireUsablePath: (path: string) => void;
  requireWritable: (folder: string, instead: string) => void;
};
const { cacheDirectory } = (await import(url('directories.mjs'))) as { cacheDirectory: string };

test('characters that some part of the service cannot work with are named', (t) => {
  t.notThrows(() => requireUsablePath("/srv/Ärzte's calls #1 50%20 (ü)"));
  for (const character of ['"', '$', '`', '\\', '?', '!']) {
    const path = `/srv/calls${character}`;
    const error = t.throws(() => requireUsablePath(path));
    t.true(error.message.includes(`has ${character}, which`), error.message);
    t.true(error.message.includes(path));
  }
});

test('a folder that cannot be made is refused, with what is in its way', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-folders-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  t.notThrows(() => requireWritable(join(folder, 'a', 'b'), 'set SVC_DATA_DIR'));
  // As for root, who may write everywhere else.
  const file = join(folder, 'file');
  writeFileSync(file, '');
  t.throws(() => requireWritable(join(file, 'a', 'b'), 'set SVC_DATA_DIR'), {
    message: `${file} cannot be written by this user: make it yours (chown), or set SVC_DATA_DIR`,
  });
});

test('a folder of models that is named has to exist; an empty one is filled', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-folders-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  t.throws(() => requireModelsFolder(join(folder, 'typo')), {
    message:
      `SVC_MODELS_DIR is ${join(folder, 'typo')}, which does not exist: correct or unset it, or ` +
      'make the folder, in which models are then installed',
  });
  t.notThrows(() => requireModelsFolder(folder));
  t.notThrows(() => requireModelsFolder(''), 'unset: set-up makes its own');
});

test('a step that may not write says which variable names another folder', (t) => {
  const path = join(cacheDirectory, 'python');
  t.regex(describeDenied({ code: 'EACCES', path })!.message, /set SVC_CACHE_DIR/);
  t.regex(describeDenied({ code: 'EPERM', path: '/clone' })!.message, /^\/clone .*\(chown\)$/);
  const readOnly = describeDenied({ code: 'EROFS', path })!.message;
  t.is(
    readOnly,
    `${path} is on a read-only file system: mount it writable, ` +
      'or set SVC_CACHE_DIR to another folder',
  );
  t.is(describeDenied({ code: 'ENOENT', path }), null);
  t.is(describeDenied(new Error('other')), null);
});
