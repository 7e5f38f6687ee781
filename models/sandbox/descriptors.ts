// Open files that a started process would inherit: what our own parent left open without a word.
import { openSync, readdirSync, readFileSync } from 'node:fs';

export interface InheritableDescriptors {
  /** An open /dev/null to put in their place. */
  readonly nothing: number;
  /** Above the standard three, ascending. */
  readonly leaks: readonly number[];
}

const closeOnExec = 0o2000000;

let found: InheritableDescriptors | null = null;

/**
 * Node closes all of its own on exec, and of inherited ones only those below the first gap. Looked
 * up once: none are added later.
 */
export function inheritableDescriptors(): InheritableDescriptors {
  found ??= { nothing: openSync('/dev/null', 'r'), leaks: leaksOf('/proc/self/fdinfo') };
  return found;
}

function leaksOf(folder: string): readonly number[] {
  return entries(folder)
    .filter((descriptor) => descriptor > 2 && isInheritable(`${folder}/${descriptor}`))
    .toSorted((a, b) => a - b);
}

/** Descriptors; none where the kernel does not list them. */
function entries(folder: string): readonly number[] {
  try {
    return readdirSync(folder).map(Number);
  } catch {
    return [];
  }
}

function isInheritable(path: string): boolean {
  try {
    const flags = /^flags:\s+([0-7]+)/m.exec(readFileSync(path, 'utf8'))?.[1] ?? '';
    return (Number.parseInt(flags, 8) & closeOnExec) === 0;
  } catch {
    // It was closed meanwhile, as the one that listed the folder.
    return false;
  }
}
