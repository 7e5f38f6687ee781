// The disks of PostgreSQL, of object storage and of the worker's temporary files fill up in turn.
import { spawnSync } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServices } from '../runner/services.ts';
import type { Cleanup } from '../support/cleanup.ts';
import {
  disturb,
  recovery,
  together,
  type Disturbed,
  type FaultOptions,
  type FaultOutcome,
} from './fault.ts';

const fullMs = 12_000;
const redWithinMs = 20_000;
const backSeconds = 40;
/** A new cluster with its write-ahead log, and room for what the tests write. */
const databaseMiB = 320;
const storageMiB = 64;
const temporaryMiB = 48;

export async function diskFull(options: FaultOptions): Promise<FaultOutcome> {
  if (!mayMount()) {
    return { figures: ['skipped: small disks can be mounted by root alone'], broken: [] };
  }
  return disturb(options, async (t) => {
    const disks = {
      database: smallDisk(t, databaseMiB),
      storage: smallDisk(t, storageMiB),
      temporary: smallDisk(t, temporaryMiB),
    };
    // Servers of their own, each with its own disk.
    const database = await startServices({
      ...{ durable: true, dataDirectory: disks.database, only: ['PostgreSQL'] },
    });
    t.teardown(() => database.stop());
    const storage = await startServices({ dataDirectory: disks.storage, only: ['S3 gateway'] });
    t.teardown(() => storage.stop());
    for (const name of ['TEST_DATABASE_URL', 'TEST_DATABASE_OWNER_URL'] as const) {
      process.env[name] = database.environment[name];
    }
    for (const name of ['ENDPOINT', 'ACCESS_KEY_ID', 'SECRET_ACCESS_KEY'] as const) {
      process.env[`TEST_S3_${name}`] = storage.environment[`TEST_S3_${name}`];
    }
    return {
      stack: { workerEnvironment: { SVC_TEMPORARY_DIR: disks.temporary } },
      quietMs: 90_000,
      nemesis: async (disturbed) => {
        const found = [
          await fill(disturbed, { disk: disks.storage, name: 'object_storage' }),
          await fill(disturbed, { disk: disks.database, name: 'database' }),
          await fill(disturbed, { disk: disks.temporary, name: null }),
        ];
        return together(found);
      },
    };
  });
}

interface FullDisk {
  readonly disk: string;
  /** The check of /readyz that has to name it; null for the worker's own. */
  readonly name: string | null;
}

async function fill(
  { history, readiness }: Disturbed,
  { disk, name }: FullDisk,
): Promise<FaultOutcome> {
  const free = fillUp(disk);
  const at = history.now();
  const broken: string[] = [];
  const what = name ?? 'temporary files';
  if (name && !(await readiness.until(new RegExp(`^Not ready: .*${name}`), redWithinMs))) {
    broken.push(`/readyz does not name ${name}, whose disk is full`);
  }
  const redSeconds = ((history.now() - at) / 1_000).toFixed(1);
  await sleep(fullMs);
  const rejected = history.operations.filter(({ t1, answer }) => t1 > at && answer.startsWith('5'));
  free();
  if (rejected.length === 0) broken.push(`no call reported the full disk of ${what}`);
  const back = await recovery({ history, readiness }, { name: what, limitSeconds: backSeconds });
  const figure = `${what} full: reported after ${redSeconds} s, ${rejected.length} calls failed`;
  return together([{ figures: [figure], broken }, back]);
}

function mayMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'svc-mount-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]);
  if (status === 0) spawnSync('umount', [folder]);
  rmSync(folder, { recursive: true, force: true });
  return status === 0;
}

/** A disk of so many MiB in memory. @returns a folder on it */
function smallDisk(t: Cleanup, mebibytes: number): string {
  const slot = mkdtempSync(join(tmpdir(), 'svc-disk-'));
  const options = `size=${mebibytes}m,mode=0755`;
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', slot], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`a small disk could not be mounted: ${stderr}`);
  t.teardown(() => {
    spawnSync('umount', ['-l', slot]);
    rmSync(slot, { recursive: true, force: true });
  });
  const folder = join(slot, 'data');
  mkdirSync(folder);
  chmodSync(folder, 0o755);
  return folder;
}

/** Writes until the disk is full. @returns a function that frees what was written */
function fillUp(disk: string): () => void {
  const ballast = join(disk, 'ballast');
  const file = openSync(ballast, 'w');
  for (let bytes = 2 ** 20; bytes >= 1_024; bytes /= 2) {
    const block = Buffer.alloc(bytes, 1);
    try {
      while (writeSync(file, block) === bytes);
    } catch {
      // No room for a block of this size, but smaller ones may still fit.
    }
  }
  closeSync(file);
  return () => rmSync(ballast);
}
