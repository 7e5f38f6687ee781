// `npm run screenshots -- DIR`: every page and state at three widths in both modes, with the same
// data each time; each is compared with its golden picture and judged by axe, and the time until a
// page can be used is printed. `--update` makes the golden pictures anew, `--only NAME` takes the
// states whose names begin so.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { accessibilityFaults } from '../support/accessibility.ts';
import { openPage } from '../support/browser.ts';
import { goldenFolder, openGoldens, type Goldens } from './goldens.ts';
import { measureLoads, type LoadFigures } from './load.ts';
import { servePages } from './serve.ts';
import { heavyPages, pageStates, type PageState } from './states.ts';

const widths = [360, 820, 1_440];
const modes = ['light', 'dark'] as const;

const { values: options, positionals } = parseArgs({
  options: { update: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
  allowPositionals: true,
});
const [folder = 'screenshots'] = positionals;

/** Loads the page anew and waits until it can be used. */
async function open(page: Page, base: string, { path, key }: PageState): Promise<void> {
  await page.goto(`${base}/blank`);
  const store = key === null ? "removeItem('key')" : `setItem('key', '${key}')`;
  await page.evaluate(`sessionStorage.${store}`);
  await page.goto(`${base}/${path}`);
  if (key !== null) await page.locator('#content:not([inert])').waitFor();
  // The fonts that every Debian has, whatever this machine prefers; a picture of the whole page
  // also shows what nobody has scrolled to.
  await page.evaluate(`{
    const { style } = document.documentElement;
    style.setProperty('--font', '"DejaVu Sans"');
    style.setProperty('--mono', '"DejaVu Sans Mono"');
    style.setProperty('--out-of-sight', 'visible');
  }`);
}

interface Shot {
  readonly name: string;
  readonly state: PageState;
  readonly base: string;
  readonly goldens: Goldens;
}

/** @returns what is wrong, in words */
async function photograph(page: Page, { name, state, base, goldens }: Shot): Promise<string[]> {
  const faults: string[] = [];
  for (const colorScheme of modes) {
    await page.emulateMedia({ colorScheme });
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      await open(page, base, state);
      await state.act?.(page);
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
      const shot = `${name}-${colorScheme}-${width}`;
      const png = await page.screenshot({ fullPage: !state.isLong, animations: 'disabled' });
      writeFileSync(join(folder, `${shot}.png`), png);
      const difference = await goldens.check(shot, width, png);
      if (difference) faults.push(`${shot}: ${difference}`);
      const wide = Number(await page.evaluate('document.documentElement.scrollWidth'));
      if (wide > width) faults.push(`${shot}: it is ${wide} wide`);
    }
    const found = await accessibilityFaults(page);
    faults.push(...found.map((fault) => `${name}-${colorScheme}: ${fault}`));
  }
  return faults;
}

/** What loading the page takes, in words. */
async function loadText(page: Page, base: string, state: PageState): Promise<string> {
  const { first, again } = await measureLoads(page, () => open(page, base, state));
  const sent = ({ requests, bytes }: LoadFigures): string =>
    `${requests} requests, ${Math.round(bytes / 1_000)} kB`;
  const times = `${Math.round(again.interactiveMs)} ms, ${Math.round(again.threadMs)} of processor`;
  return `used after ${times}; ${sent(first)}, again ${sent(again)}; ${again.elements} elements`;
}

mkdirSync(folder, { recursive: true });
const teardowns: (() => unknown)[] = [];
const { page, errors } = await openPage(
  { teardown: (end) => void teardowns.push(end) },
  { context: { locale: 'en-US', timezoneId: 'UTC', reducedMotion: 'reduce' } },
);
const painter = await page.context().browser()!.newPage();
const goldens = await openGoldens(painter, { folder: goldenFolder, isUpdating: options.update });
await page.bringToFront();
const { base, close } = await servePages();
const faults: string[] = [];
for (const [name, state] of Object.entries(pageStates)) {
  if (!name.startsWith(options.only)) continue;
  const found = await photograph(page, { name, state, base, goldens });
  for (const fault of found) process.stdout.write(`${fault}\n`);
  faults.push(...found);
}
for (const [name, state] of Object.entries({ ...pageStates, ...heavyPages })) {
  if (!name.startsWith(options.only) || state.key === null || state.act) continue;
  process.stdout.write(`${name}: ${await loadText(page, base, state)}\n`);
}
// Answers of 400 and 404 that the states show are no errors of the pages.
const broken = errors.filter((error) => !error.startsWith('Failed to load resource'));
for (const error of broken) process.stdout.write(`${error}\n`);
for (const teardown of teardowns) await teardown();
close();
process.stdout.write(`${faults.length} faults, ${broken.length} errors of scripts\n`);
process.exitCode = faults.length + broken.length === 0 ? 0 : 1;
