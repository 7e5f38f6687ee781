// Where embedded PostgreSQL can run. It refuses to run as root, so under root another user must be
// able to reach its files.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { clusterPlace, PostgresHomeError } from './cluster-place.ts';
import { allowTraversal } from './private-folder.ts';
import { canEnter, makeReachable, sharedDirectory, type PostgresUser } from './reachable-folder.ts';

/** The user and folders of a PostgreSQL server. */
export interface PostgresHome {
  readonly dataDirectory: string;
  /** Folder with `bin/postgres` and `bin/initdb`. */
  readonly programs: string;
  readonly user: PostgresUser | null;
  /** A note for the user about unusual locations; null without one. */
  readonly remark: string | null;
}

const userName = 'postgres';

export interface PostgresHomeOptions {
  /** The stack's data directory. */
  readonly dataDirectory: string;
  /** Folder of the npm package's binaries. */
  readonly programs: string;
  /** Finds the cluster of an earlier version (`clusterPlace`); null for a new one. */
  readonly clusterSecret: string | null;
}

/** Chooses user and folders; under root it creates a missing user. @throws PostgresHomeError */
export function findPostgresHome(options: PostgresHomeOptions): PostgresHome {
  const { dataDirectory, programs, clusterSecret } = options;
  const placeFor = (user: PostgresUser | null) =>
    clusterPlace({ dataDirectory, user, secret: clusterSecret });
  if (process.getuid?.() !== 0) {
    return { dataDirectory: placeFor(null), programs, user: null, remark: null };
  }
  const user = ensureUser();
  if (!isMapped('uid', user.uid) || !isMapped('gid', user.gid)) {
    throw new PostgresHomeError(
      `PostgreSQL does not run as root, and the user ${userName} (${user.uid}:${user.gid}) does ` +
        'not exist in this user namespace: give it more ids (/etc/subuid and /etc/subgid), run ' +
        'the stack as a user other than root, or set DATABASE_URL',
    );
  }
  const remarks: string[] = [];
  allowTraversal(dataDirectory, user);
  const data = placeFor(user);
  if (data !== join(dataDirectory, 'postgres')) remarks.push(`its data is in ${data}`);
  let usable = programs;
  if (!canEnter(join(programs, 'bin'), user)) {
    usable = copyPrograms(programs);
    remarks.push(`its programs are in ${usable}`);
  }
  const remark =
    remarks.length === 0 ? null : `PostgreSQL runs as user ${userName}: ${remarks.join(', ')}`;
  return { dataDirectory: data, programs: usable, user, remark };
}

function ensureUser(): PostgresUser {
  const known = findUser();
  if (known !== null) return known;
  const args = ['--system', '--user-group', '--no-create-home', '--shell', '/bin/false', userName];
  const { status, stderr, error } = spawnSync('useradd', args, { encoding: 'utf8' });
  const created = findUser();
  if (created !== null) return created;
  throw new PostgresHomeError(
    `PostgreSQL does not run as root, and a user "${userName}" could not be created ` +
      `(useradd: ${error?.message ?? `exit code ${status}, ${stderr.trim()}`}). ` +
      `Create that user, run the stack as a user other than root, or set DATABASE_URL`,
  );
}

/** Looks the user up in passwd(5). */
function findUser(): PostgresUser | null {
  for (const line of fs.readFileSync('/etc/passwd', 'utf8').split('\n')) {
    const [name, , uid, gid] = line.split(':');
    if (name === userName) return { uid: Number(uid), gid: Number(gid) };
  }
  return null;
}

/** Whether this user namespace knows the id: that of a rootless container may have root alone. */
function isMapped(kind: 'uid' | 'gid', id: number): boolean {
  const path = `/proc/self/${kind}_map`;
  if (!fs.existsSync(path)) return true;
  return holdsId(fs.readFileSync(path, 'utf8'), id);
}

/** @param map as user_namespaces(7) has it: first id inside, first id outside, count */
export function holdsId(map: string, id: number): boolean {
  const ranges = map.trim().split('\n');
  return ranges.some((range) => {
    const [first = 0, , count = 0] = range.trim().split(/\s+/).map(Number);
    return id >= first && id < first + count;
  });
}

/** Copies the package's binaries, once per version, to a place that every user can reach. */
function copyPrograms(programs: string): string {
  const manifest = fs.readFileSync(join(dirname(programs), 'package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const target = join(sharedDirectory, `programs-${version}`);
  makeReachable(sharedDirectory);
  if (fs.existsSync(target)) return target;
  const work = fs.mkdtempSync(join(sharedDirectory, '.copy-'));
  const copy = join(work, basename(target));
  fs.cpSync(programs, copy, { recursive: true, verbatimSymlinks: true });
  openToAll(copy);
  fs.renameSync(copy, target);
  fs.rmSync(work, { recursive: true });
  return target;
}

/** `chmod -R a+rX`, because a strict umask may have closed the package's files. */
function openToAll(path: string): void {
  const stat = fs.lstatSync(path);
  if (stat.isSymbolicLink()) return;
  const executable = stat.isDirectory() || (stat.mode & 0o100) !== 0;
  fs.chmodSync(path, stat.mode | (executable ? 0o555 : 0o444));
  if (stat.isDirectory()) {
    for (const name of fs.readdirSync(path)) openToAll(join(path, name));
  }
}
