// Where the database of a data directory lies: chosen once, kept when the directory is moved, and
// never replaced by an empty one.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { clusterPlace, PostgresHomeError } from '../../../bin/stack/cluster-place.ts';
import { canEnter } from '../../../bin/stack/reachable-folder.ts';

/** Neither the owner of the folders below nor of their group. */
const user = { uid: 54_321, gid: 54_321 };
const secret = 'secret';

/** A data directory that the user may not enter, or may. */
function aMachine(t: ExecutionContext, mode: number) {
  const root = fs.mkdtempSync(join(tmpdir(), 'svc-place-'));
  t.teardown(() => fs.rmSync(root, { recursive: true }));
  fs.chmodSync(root, 0o755);
  const [above, shared] = [join(root, 'above'), join(root, 'shared')];
  const dataDirectory = join(above, 'data');
  fs.mkdirSync(dataDirectory, { recursive: true });
  fs.chmodSync(dataDirectory, 0o711);
  fs.chmodSync(above, mode);
  const placeOf = (options = {}) =>
    clusterPlace({ dataDirectory, user, secret, shared, ...options });
  return { above, shared, dataDirectory, placeOf };
}

function makeCluster(place: string): void {
  fs.mkdirSync(place, { recursive: true });
  fs.writeFileSync(join(place, 'PG_VERSION'), '18\n');
}

test('a folder is entered by who may traverse it and all above it', (t) => {
  t.true(canEnter('/', user));
  const { dataDirectory } = aMachine(t, 0o700);
  t.false(canEnter(dataDirectory, user));
});

test('the place is kept when the data directory is moved or the folder above it opened', (t) => {
  const { above, shared, dataDirectory, placeOf } = aMachine(t, 0o700);
  const place = placeOf();
  t.true(place.startsWith(shared));
  t.true(canEnter(join(place, '..'), user));
  makeCluster(place);
  fs.writeFileSync(join(dataDirectory, 'temporal.db'), '');
  t.is(placeOf(), place);
  fs.chmodSync(above, 0o755);
  t.is(placeOf(), place);
  const moved = join(above, 'moved');
  fs.renameSync(dataDirectory, moved);
  t.is(placeOf({ dataDirectory: moved }), place);
});

test('the cluster of an earlier version is found by its path and secret, and linked', (t) => {
  const { above, shared, dataDirectory, placeOf } = aMachine(t, 0o700);
  const hash = createHash('sha256').update(dataDirectory + secret);
  const place = join(shared, hash.digest('hex').slice(0, 12), 'postgres');
  makeCluster(place);
  fs.writeFileSync(join(dataDirectory, 'demo-key'), '');
  fs.chmodSync(above, 0o755);
  t.is(placeOf(), place);
  const moved = join(above, 'moved');
  fs.renameSync(dataDirectory, moved);
  t.is(placeOf({ dataDirectory: moved }), place);
});

test('no empty database is made beside other data', (t) => {
  for (const name of ['temporal.db', 'objects', 'seaweedfs', 'demo-key']) {
    const { shared, dataDirectory, placeOf } = aMachine(t, 0o700);
    makeCluster(join(shared, 'another', 'postgres'));
    fs.mkdirSync(join(dataDirectory, name));
    for (const options of [{}, { user: null }]) {
      const error = t.throws(() => placeOf(options), { instanceOf: PostgresHomeError });
      t.true(error.message.includes(`has ${name}, but its database is not in ${dataDirectory}`));
      t.true(error.message.includes(join(shared, 'another', 'postgres')));
    }
    t.deepEqual(fs.readdirSync(dataDirectory), [name], 'nothing is left by the attempt');
    // A restore lays the rest out first.
    t.true(placeOf({ secret: null }).startsWith(shared));
  }
});

test('where a link leads holds for every user; a place that cannot be reached is named', (t) => {
  const { above, dataDirectory, placeOf } = aMachine(t, 0o755);
  t.is(placeOf(), join(dataDirectory, 'postgres'));
  const place = join(above, 'disk', 'postgres');
  makeCluster(place);
  fs.symlinkSync('../disk/postgres', join(dataDirectory, 'postgres'));
  t.is(placeOf(), place);
  t.is(placeOf({ user: null }), place);
  fs.chmodSync(above, 0o700);
  const error = t.throws(() => placeOf(), { instanceOf: PostgresHomeError });
  t.true(error.message.includes(`the database in ${place} cannot be reached`), error.message);
});
