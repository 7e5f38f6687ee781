// Where the PostgreSQL cluster of a data directory lies: in it, or, where its user cannot enter it,
// in a shared folder to which a link in the data directory leads.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { s3Folders } from '../setup/s3-choice.mjs';
import { canEnter, makeReachable, sharedDirectory, type PostgresUser } from './reachable-folder.ts';

/** PostgreSQL cannot run in this environment; the message says what to change. */
export class PostgresHomeError extends Error {
  override readonly name = 'PostgresHomeError';
}

export interface ClusterPlaceOptions {
  readonly dataDirectory: string;
  /** As whom PostgreSQL runs under root; null: as the user of this process. */
  readonly user: PostgresUser | null;
  /**
   * Finds the cluster of an earlier version, which left no link; null where a restore lays out a
   * new one.
   */
  readonly secret: string | null;
  /** Default: `/var/lib/svc-speech`. */
  readonly shared?: string;
}

/**
 * The folder of the cluster, whether it is made already or not. What was chosen once is kept: the
 * data directory may be moved, and folders above it opened or closed.
 * @throws PostgresHomeError where the user cannot reach a cluster, or the one of other data is gone
 */
export function clusterPlace(options: ClusterPlaceOptions): string {
  const { dataDirectory, user, secret, shared = sharedDirectory } = options;
  const own = join(dataDirectory, 'postgres');
  const found = linkedPlace(own) ?? (user && earlierPlace(shared, dataDirectory, secret));
  const place = found ?? own;
  if (secret !== null && !hasCluster(place)) requireNew(dataDirectory, place, shared);
  if (user === null) return place;
  if (found === null && !canEnter(dataDirectory, user)) return linked(own, newPlace(shared));
  if (!canEnter(dirname(place), user)) throw unreachable(place);
  return place === own ? own : linked(own, place);
}

/** Where the entry of the data directory is or leads to; null where there is none. */
function linkedPlace(own: string): string | null {
  const stat = fs.lstatSync(own, { throwIfNoEntry: false });
  if (stat === undefined) return null;
  return stat.isSymbolicLink() ? resolve(dirname(own), fs.readlinkSync(own)) : own;
}

/** The folder outside the data directory that has its database; null where it is inside. */
export function clusterOutside(dataDirectory: string): string | null {
  const own = join(dataDirectory, 'postgres');
  const place = linkedPlace(own);
  return place === own ? null : place;
}

/** Notes the place in the data directory. */
function linked(own: string, place: string): string {
  if (linkedPlace(own) === null) fs.symlinkSync(place, own);
  return place;
}

/** Whether a cluster has been made there. */
export function hasCluster(place: string): boolean {
  return fs.existsSync(join(place, 'PG_VERSION'));
}

/** What only a stack that has run leaves in its data directory. */
const leftByStart = ['temporal.db', ...Object.values(s3Folders), 'demo-key'];

/**
 * A new cluster belongs in a new data directory: beside objects and histories it would be an empty
 * service that hides the real one.
 */
function requireNew(dataDirectory: string, place: string, shared: string): void {
  const left = leftByStart.filter((name) => fs.existsSync(join(dataDirectory, name)));
  if (left.length === 0) return;
  const others = clustersIn(shared);
  const lying =
    others.length === 0
      ? ''
      : `; if it is one of ${others.join(', ')}, link it (ln -sfn PLACE ${dataDirectory}/postgres)`;
  throw new PostgresHomeError(
    `${dataDirectory} has ${left.join(', ')}, but its database is not in ${place}: bring it back ` +
      `from where it was${lying}; restore a backup (docs/backup.md), or set SVC_DATA_DIR to a ` +
      'new folder for an empty service',
  );
}

function clustersIn(shared: string): readonly string[] {
  if (!fs.existsSync(shared)) return [];
  return fs
    .readdirSync(shared)
    .map((name) => join(shared, name, 'postgres'))
    .filter(hasCluster);
}

function unreachable(place: string): PostgresHomeError {
  return new PostgresHomeError(
    `the database in ${place} cannot be reached by the user postgres, as which PostgreSQL runs ` +
      'under root: open the folders above it (chmod o+x), or run as another user',
  );
}

/** Its name was made of the path and the secret. */
function earlierPlace(shared: string, dataDirectory: string, secret: string | null): string | null {
  if (secret === null) return null;
  const hash = createHash('sha256').update(dataDirectory + secret);
  const place = join(shared, hash.digest('hex').slice(0, 12), 'postgres');
  return hasCluster(place) ? place : null;
}

/** Of its own even where a copy of the data directory has the same secrets. */
function newPlace(shared: string): string {
  makeReachable(shared);
  const folder = fs.mkdtempSync(join(shared, 'cluster-'));
  makeReachable(folder);
  return join(folder, 'postgres');
}
