// What pip is told by its user and the machine, and what of that set-up keeps.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';

const execute = promisify(execFile);
const module = pathToFileURL(join(import.meta.dirname, '../../../bin/setup/python.mjs')).href;
const { pipEnvironment, requireRecent } = (await import(module)) as {
  pipEnvironment: (environment: object) => Record<string, string>;
  requireRecent: (version: string) => void;
};

/** A wheel of one module, `one`. */
const wheelMaker = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w') as wheel:
    wheel.writestr('one.py', '')
    about = 'one-1.0.dist-info/'
    wheel.writestr(about + 'METADATA', 'Metadata-Version: 2.1\\nName: one\\nVersion: 1.0\\n')
    tags = 'Root-Is-Purelib: true\\nTag: py3-none-any\\n'
    wheel.writestr(about + 'WHEEL', 'Wheel-Version: 1.0\\n' + tags)
    wheel.writestr(about + 'RECORD', '')
`;

test('pip installs where set-up says, whatever it is configured to do', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-pip-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const wheel = join(folder, 'one-1.0-py3-none-any.whl');
  await execute('python3', ['-c', wheelMaker, wheel]);
  const file = join(folder, 'pip.conf');
  writeFileSync(file, '[global]\nrequire-virtualenv = true\n[install]\nuser = true\n');
  const target = join(folder, 'target');
  const args = JSON.stringify(['install', '--no-index', '--target', target, wheel]);
  const script = `const { pip } = await import(${JSON.stringify(module)}); await pip(${args});`;
  await execute(process.execPath, ['--input-type=module', '-e', script], {
    env: {
      ...process.env,
      PIP_CONFIG_FILE: file,
      ...{ PIP_USER: '1', PIP_REQUIRE_VIRTUALENV: '1', PIP_DRY_RUN: '1' },
      ...{ PIP_PREFIX: join(folder, 'p'), PIP_TARGET: join(folder, 't'), PIP_ROOT: folder },
    },
  });
  t.true(existsSync(join(target, 'one.py')));
});

test('where pip finds packages stays', (t) => {
  const of = { PIP_INDEX_URL: 'u', PIP_PROXY: 'p', PIP_CERT: 'c', HTTPS_PROXY: 'h', HOME: '/' };
  t.like(pipEnvironment({ ...of, PIP_TARGET: 't' }), of);
  t.false('PIP_TARGET' in pipEnvironment({ PIP_TARGET: 't' }));
});

test('a pip that is too old for the wheels is named', (t) => {
  for (const version of ['20.3', '20.3.4', '21.0', '26.1'])
    t.notThrows(() => requireRecent(version));
  for (const version of ['9.0.1', '18.1', '20.2']) {
    t.throws(() => requireRecent(version), { message: new RegExp(`^pip ${version} is too old`) });
  }
});
