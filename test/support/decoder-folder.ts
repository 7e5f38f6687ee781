// A folder in which decoders have theirs.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cleanup } from './cleanup.ts';

/** Where nothing may be mounted, decoders are users of their own, who have to enter it. */
export async function decoderFolder(t: Cleanup): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-test-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o711);
  return folder;
}
