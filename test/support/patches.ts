// Changes of source text that a child process of a test is started with.

export interface Patch {
  /** Path from the root of the tree. */
  readonly file: string;
  /** Text that is there once. */
  readonly from: string;
  readonly to: string;
}

/** Ends the process at this place as a power cut would. */
export const suddenDeath = "process.kill(process.pid, 'SIGKILL');";

/** What `fork` needs for the patches; nothing without any. */
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
