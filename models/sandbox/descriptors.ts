// Open files that a started process would inherit because this process's own parent left them open.
import { openSync, readdirSync, readFileSync } from 'node:fs';

export interface InheritableDescriptors {
  /** An open /dev/null, which replaces them in the new process. */
  readonly devNull: number;
  /** Descriptors above the standard three, ascending. */
  readonly leaks: readonly number[];
}

const closeOnExec = 0o2000000;

let found: InheritableDescriptors | null = null;

/**
 * Node closes all of its own descriptors on exec, but of inherited ones only those below the first
 * gap. They are looked up once, as none are added later.
 */
export function inheritableDescriptors(): InheritableDescriptors {
  found ??= { devNull: openSync('/dev/null', 'r'), leaks: leaksOf('/proc/self/fdinfo') };
  return found;
}

function leaksOf(folder: string): readonly number[] {
  return entries(folder)
    .filter((descriptor) => descriptor > 2 && isInheritable(`${folder}/${descriptor}`))
    .toSorted((a, b) => a - b);
}

/** The open descriptors; none when the kernel does not list them. */
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
    // The descriptor was closed meanwhile, such as the one that listed the folder.
    return false;
  }
}
