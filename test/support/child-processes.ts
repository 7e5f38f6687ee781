// The child processes of this one, by what they run.
import { spawnSync } from 'node:child_process';

/** @returns process ids, which are not in the order of their starts once numbers begin anew */
export function childrenThatRun(script: string): readonly number[] {
  return spawnSync('pgrep', ['-P', String(process.pid), '-f', script])
    .stdout.toString()
    .split('\n')
    .filter((line) => line !== '')
    .map(Number);
}
