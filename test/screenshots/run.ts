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
import { openGoldens, type Goldens } from './goldens.ts';
import { servePages } from './serve.ts';
import { pageStates, type PageState } from './states.ts';

const widths = [360, 820, 1_440];
const modes = ['light', 'dark'] as const;
/** Loads of a page whose median is its time until it can be used. */
const timedLoads = 5;

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
  // The fonts that every Debian has, whatever this machine prefers.
  await page.evaluate(`{
    const { style } = document.documentElement;
    style.setProperty('--font', '"DejaVu Sans"');
    style.setProperty('--mono', '"DejaVu Sans Mono"');
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
      const png = await page.screenshot({ fullPage: true, animations: 'disabled' });
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

/** Milliseconds from the click on a link until the page can be used, the median of several. */
async function interactiveMs(page: Page, base: string, state: PageState): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < timedLoads; i += 1) {
    await open(page, base, state);
    const mark = "performance.getEntriesByName('interactive')[0].startTime";
    times.push(Number(await page.evaluate(mark)));
  }
  return times.toSorted((a, b) => a - b)[Math.floor(timedLoads / 2)]!;
}

mkdirSync(folder, { recursive: true });
const teardowns: (() => unknown)[] = [];
const { page, errors } = await openPage(
  { teardown: (end) => void teardowns.push(end) },
  { context: { locale: 'en-US', timezoneId: 'UTC', reducedMotion: 'reduce' } },
);
const painter = await page.context().browser()!.newPage();
const goldens = await openGoldens(painter, options.update);
await page.bringToFront();
const { base, close } = await servePages();
const faults: string[] = [];
for (const [name, state] of Object.entries(pageStates)) {
  if (!name.startsWith(options.only)) continue;
  const found = await photograph(page, { name, state, base, goldens });
  for (const fault of found) process.stdout.write(`${fault}\n`);
  faults.push(...found);
  if (state.key !== null && state.act === undefined) {
    const time = Math.round(await interactiveMs(page, base, state));
    process.stdout.write(`${name}: can be used after ${time} ms\n`);
  }
}
// Answers of 400 and 404 that the states show are no errors of the pages.
const broken = errors.filter((error) => !error.startsWith('Failed to load resource'));
for (const error of broken) process.stdout.write(`${error}\n`);
for (const teardown of teardowns) await teardown();
close();
process.stdout.write(`${faults.length} faults, ${broken.length} errors of scripts\n`);
process.exitCode = faults.length + broken.length === 0 ? 0 : 1;
