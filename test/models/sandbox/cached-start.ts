// Starts a process in the sandbox and prints what its Node reports of the compile cache.
import { startSandboxed } from '../../../models/sandbox/launch.ts';

const [script = '', ...code] = process.argv.slice(2);
const { child } = startSandboxed({
  script,
  code: [script, ...code],
  environment: { NODE_DEBUG_NATIVE: 'COMPILE_CACHE' },
  limits: { dataBytes: 2 ** 31, openFiles: 64, threads: 32 },
  maxMessageBytes: 1_000,
  onMessage: () => child.kill(),
});
child.stderr?.pipe(process.stdout);
