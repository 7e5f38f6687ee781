// Changes of source text with which a child process of a test is started.

export interface Patch {
  /** Path from the root of the tree. */
  readonly file: string;
  /** Text that occurs once. */
  readonly from: string;
  readonly to: string;
}

/** Ends the process at this statement as a power cut would. */
export const suddenDeath = "process.kill(process.pid, 'SIGKILL');";

/** The options of `fork` for the patches; empty without any. */
export function patchedFork(patches: readonly Patch[]): {
  readonly execArgv: string[];
  readonly env: Readonly<Record<string, string>>;
} {
  if (patches.length === 0) return { execArgv: [], env: {} };
  return {
    execArgv: ['--import', new URL('patched-source.ts', import.meta.url).href],
    env: { TEST_PATCHES: JSON.stringify(patches) },
  };
}
