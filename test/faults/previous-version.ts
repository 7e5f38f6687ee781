// The version before this one, from the history of git, as the faults of an upgrade start from it.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from '../../bin/settings/stack-settings.ts';
import type { Cleanup } from '../support/cleanup.ts';

export interface Tree {
  readonly root: string;
  readonly name: string;
}

/** A work tree of the previous version, with this one's packages; null where there is none. */
export function checkOutPrevious(t: Cleanup, previous: string | null): Tree | null {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', repositoryRoot, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
      .toString()
      .trim();
  const candidates = previous ? [previous] : lastVersions(git);
  const name = candidates.find((each) => each !== '' && succeeds(() => git('rev-parse', each)));
  if (!name) return null;
  const folder = mkdtempSync(join(tmpdir(), 'svc-version-'));
  const root = join(folder, 'tree');
  git('worktree', 'add', '--detach', root, git('rev-parse', name));
  t.teardown(() => {
    git('worktree', 'remove', '--force', root);
    rmSync(folder, { recursive: true, force: true });
  });
  symlinkSync(join(repositoryRoot, 'node_modules'), join(root, 'node_modules'));
  return { root, name };
}

/** The latest tag; without one, the commit at which this branch left; on the trunk, the parent. */
function lastVersions(git: (...args: readonly string[]) => string): readonly string[] {
  const ask = (...args: readonly string[]): string => {
    let answer = '';
    succeeds(() => (answer = git(...args)));
    return answer.split('\n')[0] ?? '';
  };
  const tag = ask('tag', '--merged', 'HEAD~1', '--sort=-creatordate');
  const [head, base] = [ask('rev-parse', 'HEAD'), ask('merge-base', 'HEAD', 'main')];
  return [tag, base === head ? '' : base, 'HEAD~1'];
}

function succeeds(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
