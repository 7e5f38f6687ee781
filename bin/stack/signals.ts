// Ctrl-C and similar signals: the first stops the stack in order, a second one kills it.
import { keyPresses } from '../process/key-presses.ts';
import { hasTerminal } from '../setup/terminal.mjs';
import type { Stack } from './stack.ts';

/** Stops the stack and this process on a signal, or when the parent process is gone. */
export function stopOnSignals(stack: Stack, say: (line: string) => void): { stopping(): boolean } {
  const press = keyPresses();
  let isStopping = false;

  async function stop(reason: string): Promise<void> {
    const which = press();
    if (which === 'same') return;
    if (which === 'later') {
      say('stopping at once');
      stack.kill();
      process.exit(1);
    }
    isStopping = true;
    say(`${reason}: stopping (again: at once)`);
    try {
      await stack.stop();
      say('stopped; the data is kept');
      process.exit(0);
    } catch (error) {
      say(`stopping failed: ${error instanceof Error ? error.message : String(error)}`);
      stack.kill();
      process.exit(1);
    }
  }

  process.on('SIGINT', () => void stop('Ctrl-C'));
  process.on('SIGTERM', () => void stop('SIGTERM'));
  process.on('SIGHUP', () => {
    if (hasTerminal()) void stop('the terminal is gone');
  });
  // A closed terminal must not keep the parts from being stopped.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  if (process.channel) {
    process.on('disconnect', () => void stop('the starting process is gone'));
    process.channel.unref();
  }
  return { stopping: () => isStopping };
}
