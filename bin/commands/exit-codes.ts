// The exit codes of `svc`, by name.

export const exitCodes = {
  /** Everything that was asked for was done. */
  done: 0,
  /** Wrong usage, no valid key, an account that allows nothing more, or no service. */
  failed: 1,
  /** Recordings failed; the others were analysed. */
  someFailed: 2,
  /** What was to be checked could not be read, so nothing is known of it. */
  unchecked: 3,
  /** Stopped by Ctrl-C. */
  interrupted: 130,
} as const;

/** A check that could not be made, where `failed` would say that it has found something. */
export class Unchecked extends Error {
  override readonly name = 'Unchecked';
}

/** For the help of commands that analyse. */
export const exitCodeHelp = `Exit code: ${exitCodes.done} (done) all recordings were analysed, \
${exitCodes.someFailed} (some failed) the others
were, ${exitCodes.failed} (failed) wrong usage, no valid key, an account that allows nothing more or
no service, ${exitCodes.interrupted} (interrupted) stopped by Ctrl-C.`;
