// `svc` as somebody types it, to its end.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const program = join(import.meta.dirname, '..', '..', 'bin', 'svc.ts');

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** How to start it as a process. */
export function svcCommand(...args: readonly string[]): readonly [string, readonly string[]] {
  return [process.execPath, [program, ...args]];
}

/** @param environment variables beside those of this process */
export async function callSvc(
  environment: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<Ended> {
  const [node, all] = svcCommand(...args);
  try {
    return { code: 0, ...(await run(node, all, { env: { ...process.env, ...environment } })) };
  } catch (error) {
    const { code, stdout, stderr } = error as Ended;
    return { code, stdout, stderr };
  }
}
