// The exit codes of `svc`, by name.

export const exitCodes = {
  /** Everything that was asked for was done. */
  done: 0,
  /** Nothing was done: wrong usage, or the service cannot be reached. */
  failed: 1,
  /** Some recordings failed, the others were analysed. */
  someFailed: 2,
  /** Stopped by Ctrl-C. */
  interrupted: 130,
} as const;

/** One line for the help of commands that analyse. */
export const exitCodeHelp = `Exit code: ${exitCodes.done} (done) all recordings were analysed, \
${exitCodes.someFailed} (some failed), ${exitCodes.failed} (failed) nothing was
analysed, ${exitCodes.interrupted} (interrupted) stopped by Ctrl-C.`;
