// What is typed wrongly is told in one line, and a pipe that closes early is no error.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { parseDuration } from '../../../bin/commands/arguments.ts';
import { identify } from '../../../bin/stack/process-identity.ts';
import { writeRecord } from '../../../bin/stack/stack-record.ts';
import { exportFormats } from '../../../models/exports/formats.ts';
import { withDirectory } from '../../support/speech.ts';
import { callSvc, svcCommand } from '../../support/svc.ts';

const wrong = [
  { args: ['analyse', 'a.wav'], told: /unknown command 'analyse' \(Did you mean analyze\?\)/ },
  { args: ['analyze'], told: /missing required argument 'file'/ },
  { args: ['analyze', 'a.wav', '--fromat', 'srt'], told: /unknown option '--fromat'/ },
  { args: ['export', 'a.json'], told: /required option '--format <format>' not specified/ },
  { args: ['export', 'none.json', '--format', 'srt'], told: /none\.json cannot be read/ },
  { args: ['admin', 'usage', 'org_1', '--from', '2026-02-30'], told: /calendar.*"2026-02-30"/ },
  { args: ['admin', 'usage', 'org_1', '--to', '0000-01-01'], told: /calendar.*"0000-01-01"/ },
  {
    args: ['export', 'none.json', '--format', 'docx'],
    told: new RegExp(`takes ${Object.keys(exportFormats).join(', ')}, not "docx"`),
  },
];

test('a backup of servers of one’s own, and of no folder, refers to the manual', async (t) => {
  await withDirectory(async (folder) => {
    const SVC_DATA_DIR = join(folder, 'none');
    for (const DATABASE_URL of ['postgres://svc@db/svc', '']) {
      const { code, stderr } = await callSvc({ SVC_DATA_DIR, DATABASE_URL }, 'backup', 'to');
      t.is(code, 1);
      t.regex(stderr, /docs\/backup\.md/);
    }
  });
});

test('a stopped stack is copied with the database that lies elsewhere', async (t) => {
  await withDirectory(async (folder) => {
    const SVC_DATA_DIR = join(folder, 'data');
    await mkdir(SVC_DATA_DIR);
    await symlink(join(folder, 'cluster'), join(SVC_DATA_DIR, 'postgres'));
    const { stderr } = await callSvc({ SVC_DATA_DIR }, 'backup', join(folder, 'to'));
    const copied = `copy ${SVC_DATA_DIR}, and its database in ${join(folder, 'cluster')}`;
    t.is(stderr, `svc: no stack runs on ${SVC_DATA_DIR}: ${copied} (docs/backup.md)\n`);
  });
});

test('a backup of a stack with one server of one’s own is refused before it begins', async (t) => {
  const names = ['PostgreSQL', 'Temporal', 'S3 gateway'];
  for (const elsewhere of names) {
    await withDirectory(async (folder) => {
      const started = { process: identify(process.pid)!, stopSignal: 'SIGTERM' } as const;
      const parts = names.filter((name) => name !== elsewhere);
      writeRecord(folder, {
        parts: parts.map((name) => ({ name, ...started })),
        environment: { DATABASE_URL: 'postgres://svc_service@127.0.0.1:1/svc' },
      });
      const to = join(folder, 'to');
      const { code, stderr } = await callSvc({ SVC_DATA_DIR: folder }, 'backup', to);
      t.is(code, 1);
      t.regex(
        stderr,
        new RegExp(`^svc: .*docs/backup\\.md.* \\(it does not run ${elsewhere}\\)\n$`),
      );
      t.deepEqual(readdirSync(folder), ['stack.json']);
    });
  }
});

test('each error is one line that says what is wrong', async (t) => {
  for (const { args, told } of wrong) {
    const { code, stdout, stderr } = await callSvc({}, ...args);
    t.is(code, 1, args.join(' '));
    t.is(stdout, '');
    t.regex(stderr, told);
    t.regex(stderr, /^svc: [^\n]+\n$/);
  }
});

test('queues that cannot be asked are told from a queue without a poller', async (t) => {
  await withDirectory(async (SVC_DATA_DIR) => {
    const told = 'svc: the task queues could not be asked';
    const none = await callSvc({ SVC_DATA_DIR, TEMPORAL_ADDRESS: '' }, 'backlog');
    const start = 'no stack is running here; start it or set TEMPORAL_ADDRESS';
    t.deepEqual([none.code, none.stderr], [3, `${told} (${start})\n`]);
    const gone = await callSvc({ SVC_DATA_DIR, TEMPORAL_ADDRESS: '127.0.0.1:9' }, 'backlog');
    t.is(gone.code, 3);
    t.true(gone.stderr.startsWith(`${told} (no connection to Temporal at 127.0.0.1:9 `));
  });
});

test('a file whose name begins with a dash is told from an option', async (t) => {
  await withDirectory(async (folder) => {
    await writeFile(join(folder, '-dash.wav'), 'sound');
    const [program, args] = svcCommand('analyze', '-dash.wav');
    const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    let told = '';
    child.stderr.on('data', (text) => (told += String(text)));
    await once(child, 'close');
    const hint = 'put -- before names that begin with a dash';
    t.is(told, `svc: unknown option '-dash.wav'; ${hint}\n`);
  });
});

test('a reader that has seen enough ends the command without a word', async (t) => {
  const [program, args] = svcCommand('settings');
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let told = '';
  child.stderr.on('data', (text) => (told += String(text)));
  child.stdout.destroy();
  await once(child, 'close');
  t.is(told, '');
});

test('a duration has a unit', async (t) => {
  for (const [text, seconds] of [
    ['90s', 90],
    ['15m', 900],
    ['24h', 86_400],
    ['30d', 2_592_000],
  ] as const) {
    t.is(parseDuration(text), seconds);
  }
  for (const text of ['24', '0', '', 'h', '1.5h', '24 h', '24H']) {
    t.throws(() => parseDuration(text), { message: /90s, 15m, 24h or 30d/ }, text);
  }
});
