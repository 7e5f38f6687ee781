// `npm run X -- --help` in a fresh clone: what the script is, with nothing installed or started.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';

const root = join(import.meta.dirname, '../../..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
/** They print what their catalogues have, for which they need the packages. */
const withOwnHelp = ['cluster', 'conformance', 'faults', 'svc'];

test('each longer script says what it is, and installs and starts nothing', (t) => {
  const clone = mkdtempSync(join(tmpdir(), 'svc-help-'));
  t.teardown(() => rmSync(clone, { recursive: true }));
  for (const folder of ['bin', 'clients/generator', 'test', 'training'])
    cpSync(join(root, folder), join(clone, folder), { recursive: true });
  for (const name of Object.keys(scripts).filter((each) => !withOwnHelp.includes(each))) {
    for (const option of ['--help', '-h']) {
      const args = [join(clone, 'bin/setup.mjs'), name, option];
      const env = { PATH: process.env.PATH, HOME: clone };
      const { status, stdout, stderr } = spawnSync(process.execPath, args, {
        encoding: 'utf8',
        env,
      });
      t.is(status, 0, `${name}: ${stderr}`);
      t.regex(stdout, /npm (run|test|start|check)/, name);
      t.notRegex(stdout, /^(\/\/|import |""")/m, name);
    }
  }
  t.false(existsSync(join(clone, 'node_modules')));
  t.false(existsSync(join(clone, '.cache')));
});

test('a name that a runner does not have is answered with those it has', (t) => {
  for (const [script, known] of [
    ['test/bench/run.ts', 'decode'],
    ['test/eval/run.ts', 'recognition'],
    ['test/neighbours/run.ts', 'flood'],
  ] as const) {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(root, script), 'decode', 'mispelt'],
      { encoding: 'utf8' },
    );
    t.is(status, 2, stderr);
    t.regex(stdout + stderr, new RegExp(known), script);
  }
});
