// The folders of set-up: one definition for it and for the stack, and where the user has none.
import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import { readSettings } from '../../../bin/settings/stack-settings.ts';

const module = pathToFileURL(join(import.meta.dirname, '../../../bin/setup/directories.mjs')).href;

test('a user whom the system does not know gets a cache that can be named', async (t) => {
  const script = `import os from 'node:os'; import { syncBuiltinESMExports } from 'node:module';
    os.homedir = () => { throw new Error('uv_os_homedir returned ENOENT'); };
    syncBuiltinESMExports();
    console.log((await import(${JSON.stringify(module)})).cacheDirectory);`;
  const env = { ...process.env, SVC_CACHE_DIR: '', XDG_CACHE_HOME: '' };
  const args = ['--input-type=module', '-e', script];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  t.is(stdout, '/.cache/svc-speech\n');
});

test('the stack looks where set-up has installed, also below a relative folder', (t) => {
  const cache = { SVC_CACHE_DIR: 'cache' };
  t.is(readSettings(cache).modelsDirectory, resolve('cache/models'));
  t.is(readSettings({ XDG_CACHE_HOME: '/c' }).modelsDirectory, '/c/svc-speech/models');
  t.is(readSettings({ SVC_DATA_DIR: 'data' }).dataDirectory, resolve('data'));
});
