// Whether this process belongs to a terminal, and so ends with it.
import { isatty } from 'node:tty';

/**
 * False after `nohup`, which redirects all three streams. It also ignores SIGHUP, but Node restores
 * the signal's default at its start, and in every child.
 */
export function hasTerminal() {
  return [0, 1, 2].some((stream) => isatty(stream));
}
