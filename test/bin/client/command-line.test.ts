// The command line where no service is needed: what it refuses, writes and says.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { BulkFolder } from '../../../bin/client/bulk-folder.ts';
import { withMcp } from '../../support/mcp.ts';
import { withDirectory } from '../../support/speech.ts';
import { callSvc } from '../../support/svc.ts';

/** Nothing answers at the address: a command that asked it would not end at once. */
const environment = { SVC_BASE_URL: 'http://127.0.0.1:9', SVC_API_KEY: 'any' };
const call = (...args: readonly string[]) => callSvc(environment, ...args);

const [notUtf8, wav] = [Buffer.of(0xe9), Buffer.from('.wav')];

test('the version is that of the package', async (t) => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
  t.is((await call('--version')).stdout, `${version}\n`);
});

test('what is no recording is named, one line each', async (t) => {
  await withDirectory(async (folder) => {
    const { code, stderr } = await call('analyze', folder, join(folder, 'none.wav'));
    t.is(code, 2);
    t.deepEqual(stderr.trim().split('\n'), [
      `${folder}: unreadable_file: is a folder: svc bulk FOLDER --out RESULTS`,
      `${join(folder, 'none.wav')}: unreadable_file: there is no such file`,
    ]);
  });
});

test('a pipe or a device is refused, not sent as a recording without sound', async (t) => {
  const { code, stderr } = await call('analyze', '/dev/null');
  const told = 'unreadable_file: is no file: write what comes from a pipe to one';
  t.deepEqual([code, stderr], [2, `/dev/null: ${told}\n`]);
});

test('what concerns every recording ends the command with one line', async (t) => {
  await withDirectory(async (folder) => {
    const paths = ['a.wav', 'b.wav'].map((name) => join(folder, name));
    for (const path of paths) await writeFile(path, 'sound');
    const unreachable = await call('analyze', ...paths);
    t.is(unreachable.code, 1);
    t.is(unreachable.stderr, 'svc: no answer from http://127.0.0.1:9: Error: bad port\n');
    const nowhere = await call('bulk', join(folder, 'none'), '--out', join(folder, 'out'));
    t.is(nowhere.code, 1);
    t.regex(nowhere.stderr, /^svc: [^\n]*none does not exist\n$/);
    const single = await call('bulk', paths[0]!, '--out', join(folder, 'out'));
    t.regex(single.stderr, /a\.wav is no folder; svc analyze takes single recordings\n$/);
  });
});

test('another server at the address is no service', async (t) => {
  const server = createServer((_, response) => void response.writeHead(405).end('no'));
  // Of a process that stalls an idle connection would be closed while it is used again.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await withDirectory(async (folder) => {
    const path = join(folder, 'a.wav');
    await writeFile(path, 'sound');
    const told = `svc: ${base} answered 405, and not as this service does\n`;
    const analysed = await call('analyze', '--base', base, path, path);
    t.deepEqual([analysed.code, analysed.stderr], [1, told]);
    const bulk = await call('bulk', '--base', base, folder, '--out', join(folder, 'out'));
    t.is(bulk.code, 1);
    t.is(bulk.stderr, `0 analysed, 0 from an earlier run, 0 failed, 1 left\n${told}`);
  });
});

test('options that the service would reject are rejected before anything is sent', async (t) => {
  await withDirectory(async (folder) => {
    const cases = [
      [['--roles', 'a,b'], /--roles requires --channels to be separate/],
      [['--channels', 'both'], /^svc: --channels takes mix, separate, got "both"/],
      [['--language', 'xx'], /^svc: --language takes auto, [^`]* got "xx"\.$/m],
      [['--num-speakers', '99'], /^svc: --num-speakers must be .* from 1 to 32, got "99"$/m],
      [['--num-speakers', '2'], /--num-speakers requires --diarize/],
      [['--model', 'none'], /no model "none"/],
      [['--base', 'localhost:8080'], /must be an http or https URL, got "localhost:8080"/],
    ] as const;
    for (const [options, message] of cases) {
      const { code, stderr } = await call('bulk', folder, '--out', join(folder, 'out'), ...options);
      t.is(code, 1);
      t.regex(stderr, message);
      t.is(stderr.trim().split('\n').length, 1, stderr);
    }
    const single = await call('analyze', '--diarize', '--num-speakers', '2.5', folder);
    t.is(single.code, 1);
    t.regex(single.stderr, /^svc: --num-speakers must be .* from 1 to 32, got "2\.5"\n$/);
  });
});

test('an option that would change nothing is refused before anything is sent', async (t) => {
  await withDirectory(async (folder) => {
    const path = join(folder, 'a.wav');
    await writeFile(path, 'sound');
    const analyze = (options: string) => call('analyze', ...options.split(' '), path);
    for (const [options, told] of [
      ['--task proficiency --redact card', '--redact has no effect with --task proficiency'],
      ['--num-speakers 2', '--num-speakers requires --diarize'],
      ['--include-logits', '--include-logits requires --json: lines have the chosen labels alone'],
    ] as const) {
      const { code, stderr } = await analyze(options);
      t.deepEqual([code, stderr], [1, `svc: ${told}\n`]);
    }
    const { stderr } = await analyze('--num-speakers 2 --diarize --include-logits --json');
    t.regex(stderr, /no answer from/);
  });
  await withMcp(environment, async ({ call: use }) => {
    const path = join(import.meta.dirname, 'command-line.test.ts');
    const { failed, text } = await use('analyse', { path, task: 'style', redact: ['card'] });
    t.true(failed);
    t.regex(text, /`redact` has no effect with `task` style/);
  });
});

test('blanks after the commas of a list are no part of it', async (t) => {
  await withDirectory(async (folder) => {
    const out = ['--out', join(folder, 'out')];
    const redact = ['--redact', 'card, phone', '--channels', 'separate'];
    const spaced = await call('bulk', folder, ...out, ...redact, '--roles', 'agent, customer');
    t.is(spaced.code, 0, spaced.stderr);
    // Its place is that of a channel.
    const missing = await call('bulk', folder, ...out, ...redact, '--roles', 'agent, ,customer');
    t.is(missing.code, 1);
    t.regex(missing.stderr, /--roles/);
  });
});

test('an option without a value is refused, not taken for one that is absent', async (t) => {
  await withDirectory(async (folder) => {
    const [path, out] = [join(folder, 'a.wav'), join(folder, 'out')];
    await writeFile(path, 'sound');
    for (const option of ['--redact', '--redact-names', '--vocabulary', '--model', '--language']) {
      for (const value of ['', ' ', ',']) {
        const told = `svc: ${option} needs a value, got "${value}"\n`;
        t.is((await call('analyze', option, value, path)).stderr, told);
        t.is((await call('bulk', folder, '--out', out, option, value)).stderr, told);
      }
    }
    for (const option of ['--channels', '--roles', '--out']) {
      const { stderr } = await call('bulk', folder, '--out', out, option, '');
      t.is(stderr, `svc: ${option} needs a value, got ""\n`);
    }
    t.is((await call('bulk', '', '--out', out)).stderr, 'svc: <folder> needs a value, got ""\n');
    const kinds = await call('admin', 'redaction', 'set', 'org_1', '--kinds', '');
    t.is(kinds.stderr, 'svc: --kinds needs a value, got ""\n');
  });
});

test('a tool refuses an empty name, term or key', async (t) => {
  await withMcp(environment, async ({ call: use }) => {
    for (const [name, input] of [
      ['analyse', { path: '/none.wav', redact_names: [''] }],
      ['analyse', { path: '/none.wav', vocabulary: [' , '] }],
      ['batch', { paths: ['/none.wav'], redact_names: ['Ann', ' '] }],
      ['batch', { paths: ['/none.wav'], idempotency_key: '' }],
    ] as const) {
      const { failed, text } = await use(name, input);
      t.true(failed);
      t.regex(text, /redact_names|vocabulary|idempotency_key/, text);
    }
  });
});

test('a recording that cannot be read fails by itself', async (t) => {
  if (process.platform !== 'linux') return void t.pass('only Linux has names that are no text');
  await withDirectory(async (folder) => {
    await writeFile(Buffer.concat([Buffer.from(`${folder}/caf`), notUtf8, wav]), 'sound');
    const out = join(folder, 'out');
    const { code, stdout, stderr } = await call('bulk', '--json', folder, '--out', out);
    t.is(code, 2, stderr);
    t.like(JSON.parse(stdout), { path: 'caf\uFFFD.wav', code: 'unreadable_file' });
    t.is(stderr, '0 analysed, 0 from an earlier run, 1 failed, 0 left\n');
  });
});

test('hidden files and folders are not analysed', async (t) => {
  await withDirectory(async (folder) => {
    await mkdir(join(folder, '.trash/deep'), { recursive: true });
    for (const name of ['a.wav', '.b.wav', '.trash/c.wav', '.trash/deep/d.wav']) {
      await writeFile(join(folder, name), name);
    }
    const { files } = await new BulkFolder(folder, join(folder, 'out')).found();
    t.deepEqual(
      files.map(({ path }) => path),
      ['a.wav'],
    );
  });
});

test('a tool rejects an unknown argument, and names those that it takes', async (t) => {
  await withMcp(environment, async ({ names, inputs, call: use }) => {
    for (const [i, name] of names.entries()) {
      t.is(inputs[i]!.additionalProperties, false, name);
      const { failed, text } = await use(name, { path: '/none.wav', redactNames: ['Rachel'] });
      t.true(failed, name);
      const known = Object.keys(inputs[i]!.properties as object).map((each) => `\`${each}\``);
      t.true(text.includes(`${name} takes ${known.join(', ')}, got `), text);
      t.regex(text, /got .*`redactNames`/);
    }
  });
});
