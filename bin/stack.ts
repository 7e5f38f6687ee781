// `npm start`: runs the service on this machine, demonstrates it, and serves until stopped.
import { valuesOfFiles } from './settings/read-config.ts';
import { stackSettings } from './settings/settings-table.ts';
import { requireValidSettings } from './stack/require-valid-settings.ts';
import { createStack } from './stack/stack.ts';
import { readSettings, type StackSettings } from './settings/stack-settings.ts';
import { stopOnSignals } from './stack/signals.ts';
import { demonstrate } from './commands/demo.ts';

const started = performance.now();

function say(line: string): void {
  process.stdout.write(`  ${line}\n`);
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function report(error: unknown): void {
  process.stderr.write(`\nThe stack did not start: ${message(error)}\n`);
}

function settingsOrExit(): StackSettings {
  try {
    requireValidSettings(process.env);
    Object.assign(process.env, valuesOfFiles(stackSettings, process.env));
    return readSettings(process.env);
  } catch (error) {
    report(error);
    process.exit(1);
  }
}

async function main(): Promise<void> {
  const settings = settingsOrExit();
  process.stdout.write(`Starting the stack on ${settings.dataDirectory}\n`);
  const stack = createStack(settings, say);
  const signals = stopOnSignals(stack, say);
  try {
    const { baseUrl, environment } = await stack.start();
    say(`ready after ${((performance.now() - started) / 1000).toFixed(1)} s`);
    const { external, ports } = settings;
    const uiPort = external.temporal === null ? ports.temporalUi.port : null;
    await demonstrate({ baseUrl, environment, dataDirectory: settings.dataDirectory, uiPort });
    process.stdout.write('\nServing. Ctrl-C stops everything.\n');
  } catch (error) {
    if (signals.stopping()) return; // The parts were stopped during the start, on request.
    report(error);
    await stack.stop();
    process.exit(1);
  }
}

await main();
