// Who changes something from a command line.
import { userInfo } from 'node:os';

/** Who changed something, for the audit. In a container the user may have no name. */
export function operator(): string {
  try {
    return `operator:${userInfo().username}`;
  } catch {
    return `operator:uid-${process.getuid?.() ?? 'unknown'}`;
  }
}
