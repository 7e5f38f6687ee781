// The programs that set-up brought, and running them.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');

/** @throws when the variable is missing: the checks run through `npm run manifests` */
export function brought(variable: string): string {
  const path = process.env[variable];
  if (!path) throw new Error(`${variable} is not set; run this by \`npm run manifests\``);
  return path;
}

export interface Told {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end. @throws with all that it wrote, where it fails */
export function run(program: string, args: readonly string[], input?: string): Told {
  const { error, status, stdout, stderr } = spawnSync(program, args, {
    ...{ cwd: root, encoding: 'utf8', maxBuffer: 64 << 20 },
    ...(input !== undefined && { input }),
  });
  if (error) throw error;
  if (status === 0) return { stdout, stderr };
  throw new Error(`${program} ${args.join(' ')} (${status})\n${stdout}${stderr}`);
}
