// The exit codes of `svc`, by name.

export const exitCodes = {
  /** Everything that was asked for was done. */
  done: 0,
  /** Wrong usage, no valid key, an account that allows nothing more, or no service. */
  failed: 1,
  /** Recordings failed; the others were analysed. */
  someFailed: 2,
  /** Stopped by Ctrl-C. */
  interrupted: 130,
} as const;

/** For the help of commands that analyse. */
export const exitCodeHelp = `Exit code: ${exitCodes.done} (done) all recordings were analysed, \
${exitCodes.someFailed} (some failed) the others
were, ${exitCodes.failed} (failed) wrong usage, no valid key, an account that allows nothing more or
no service, ${exitCodes.interrupted} (interrupted) stopped by Ctrl-C.`;
