// The name of the operator who runs a command.
import { userInfo } from 'node:os';

/** The actor of audit rows. In a container the user may have no name. */
export function operator(): string {
  try {
    return `operator:${userInfo().username}`;
  } catch {
    return `operator:uid-${process.getuid?.() ?? 'unknown'}`;
  }
}
