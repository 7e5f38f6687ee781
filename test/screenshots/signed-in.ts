// A page of the console that is signed in and has the answers of the fixture, as a test wants them.
import type { BrowserContextOptions, Page } from 'playwright-core';
import { openPage } from '../support/browser.ts';
import { fullKey, servePages } from './serve.ts';

/**
 * Before it has an address.
 * @param script runs before each page's own
 * @param context where and how the browser is: its time zone
 */
export async function signedIn(
  t: Parameters<typeof openPage>[0],
  { script = '', context = {} }: { script?: string; context?: BrowserContextOptions } = {},
) {
  const { page, errors } = await openPage(t, { context });
  const { base, close } = await servePages();
  t.teardown(close);
  // The page may be waiting for an answer as the test ends.
  t.teardown(() => page.unrouteAll({ behavior: 'ignoreErrors' }));
  await page.addInitScript(`sessionStorage.setItem('key', '${fullKey}'); ${script}`);
  return { page, base, errors };
}

/** Changes an answer of the fixture before the page has it. */
export async function change(
  page: Page,
  address: string,
  edit: (body: any) => unknown,
): Promise<void> {
  await page.route(address, async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    edit(body);
    await route.fulfill({ response, json: body });
  });
}
