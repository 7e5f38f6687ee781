// `npm run screenshots -- DIR`: every page of the console and of the documents at three widths in
// both modes, with the same data each time; each page is judged by axe.
import { mkdirSync } from 'node:fs';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Router from '@koa/router';
import Koa from 'koa';
import type { Page } from 'playwright-core';
import { consoleRoutes } from '../../api/console/routes.ts';
import type { BatchDependencies } from '../../api/batches/dependencies.ts';
import { referenceRoutes } from '../../api/reference/routes.ts';
import type { RequestState } from '../../api/http/request-state.ts';
import { accessibilityFaults } from '../support/accessibility.ts';
import { openPage } from '../support/browser.ts';
import { emptyFixture, fullFixture, type Fixture } from './fixture.ts';

const widths = [360, 820, 1_440];
const modes = ['light', 'dark'] as const;

/** The pages alone: what they ask for is answered by the fixture, before it leaves the browser. */
async function servePages(): Promise<{ base: string; close: () => void }> {
  const router = new Router<RequestState>();
  router.use((ctx, next) => {
    ctx.state.connection = { host: 'speech.example.com', secure: true, address: '127.0.0.1' };
    return next();
  });
  consoleRoutes(router, {} as BatchDependencies);
  referenceRoutes(router, { publicUrl: null });
  const server = new Koa<RequestState>().use(router.routes()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { base: `http://127.0.0.1:${port}`, close: () => void server.close() };
}

async function answer(page: Page, { answers }: Fixture): Promise<void> {
  await page.unrouteAll();
  await page.route(/\/(console\/data|v1)\//, async (route) => {
    const url = route.request().url();
    const [, body] = answers.find(([path]) => path.test(url)) ?? [];
    if (body) await route.fulfill({ json: body });
    else await route.fulfill({ status: 404, json: { error: { message: url } } });
  });
}

async function photograph(page: Page, name: string, folder: string): Promise<number> {
  await page.waitForLoadState('networkidle');
  const faults = await accessibilityFaults(page);
  for (const fault of faults) process.stdout.write(`${name}: ${fault}\n`);
  for (const colorScheme of modes) {
    await page.emulateMedia({ colorScheme });
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      // The waveform is drawn once for a width.
      await page.reload();
      await page.waitForLoadState('networkidle');
      const path = join(folder, `${name}-${colorScheme}-${width}.png`);
      await page.screenshot({ path, fullPage: true });
    }
  }
  return faults.length;
}

const [folder = 'screenshots'] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const teardowns: (() => unknown)[] = [];
const { page, errors } = await openPage({ teardown: (end) => void teardowns.push(end) });
const { base, close } = await servePages();
let faults = 0;
await page.goto(`${base}/console`);
faults += await photograph(page, 'sign-in', folder);
await page.evaluate("sessionStorage.setItem('key', 'svc_test_fixture')");
for (const fixture of [fullFixture, emptyFixture]) {
  await answer(page, fixture);
  for (const [name, path] of Object.entries(fixture.pages)) {
    const response = await page.goto(`${base}/${path}`);
    if (response?.ok() === false) throw new Error(`${path}: ${response.status()}`);
    await page.locator('main').waitFor();
    faults += await photograph(page, name, folder);
  }
}
for (const error of errors) process.stdout.write(`${error}\n`);
for (const teardown of teardowns) await teardown();
close();
process.stdout.write(`${faults} faults of accessibility, ${errors.length} errors of scripts\n`);
process.exitCode = faults + errors.length === 0 ? 0 : 1;
