// `svc` as somebody types it, to its end.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ownRoot = join(import.meta.dirname, '..', '..');

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** How to start it as a process. */
export function svcCommand(...args: readonly string[]): readonly [string, readonly string[]] {
  return [process.execPath, [programIn(ownRoot), ...args]];
}

const programIn = (root: string): string => join(root, 'bin', 'svc.ts');

/** @param environment variables beside those of this process */
export function callSvc(
  environment: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<Ended> {
  return callSvcIn(ownRoot, environment, ...args);
}

/** @param root of the tree whose version is called */
export async function callSvcIn(
  root: string,
  environment: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<Ended> {
  const env = { ...process.env, ...environment };
  try {
    return { code: 0, ...(await run(process.execPath, [programIn(root), ...args], { env })) };
  } catch (error) {
    const { code, stdout, stderr } = error as Ended;
    return { code, stdout, stderr };
  }
}
