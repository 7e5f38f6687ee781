// Chromium without a window.
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core';
import { findBrowser } from '../../bin/setup/programs.mjs';
import type { Cleanup } from './cleanup.ts';

/** No machine takes so long for what a page shows. */
const slowestMs = 600_000;

/** A WAV file that is heard again and again: a busy browser drops sound. */
function microphoneArguments(path: string): readonly string[] {
  return [
    ...['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
    `--use-file-for-fake-audio-capture=${path}`,
  ];
}

/** Tabs with storage of their own, whose waits have no limit that measures the machine. */
export async function openContext(
  browser: Browser,
  options?: BrowserContextOptions,
): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(slowestMs);
  return context;
}

const launch = (args: readonly string[] = []): Promise<Browser> =>
  chromium.launch({
    timeout: slowestMs,
    executablePath: findBrowser()!,
    args: ['--no-sandbox', '--disable-gpu', ...args],
  });

/** One for all tests of a file that run at the same time: to start one takes seconds. */
let shared: Promise<Browser> | null = null;
let borrowers = 0;

async function borrowBrowser() {
  borrowers += 1;
  const browser = await (shared ??= launch());
  const release = async (): Promise<void> => {
    borrowers -= 1;
    if (borrowers > 0) return;
    shared = null;
    await browser.close();
  };
  return { browser, release };
}

/**
 * A page whose errors, on the console too, end up in `errors`.
 * @param microphone what it hears; absent: there is none
 * @param context where and how it is: language, time zone
 */
export async function openPage(
  t: Cleanup,
  options: { readonly microphone?: string; readonly context?: BrowserContextOptions } = {},
): Promise<{ page: Page; errors: string[] }> {
  const { microphone, context } = options;
  const { browser, release } =
    microphone === undefined
      ? await borrowBrowser()
      : await launch(microphoneArguments(microphone)).then((own) => {
          return { browser: own, release: () => own.close() };
        });
  t.teardown(release);
  const opened = await openContext(browser, context);
  t.teardown(() => opened.close());
  const page = await opened.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return { page, errors };
}
