// Signing in again on the console's pages: a key that is not accepted any more.
import test from 'ava';
import type { Page } from 'playwright-core';
import { batchId } from '../../screenshots/fixture.ts';
import { fullKey, servePages } from '../../screenshots/serve.ts';
import { openPage } from '../../support/browser.ts';

const recording = `console/recording?batch=${batchId}&item=1`;

/** A browser that has kept a key, and is led to a page with it. */
async function openWith(t: Parameters<typeof openPage>[0], key: string, path: string) {
  const { page } = await openPage(t);
  const { base, close } = await servePages();
  t.teardown(close);
  await page.goto(`${base}/blank`);
  await page.evaluate(`localStorage.setItem('key', '${key}')`);
  await page.goto(`${base}/${path}`);
  return page;
}

async function signInAgain(page: Page): Promise<void> {
  await page.getByText('The key is not accepted any more; sign in again.').waitFor();
  await page.getByLabel('API key').fill(fullKey);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('#content:not([hidden]):not([inert])').waitFor();
}

test('a file that is chosen after signing in again is sent and analysed once', async (t) => {
  const page = await openWith(t, 'svc_test_expired', 'console');
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(new URL(request.url()).pathname);
  });
  await signInAgain(page);
  await page.locator('#tiles dd').first().waitFor();
  const file = { name: 'call.wav', mimeType: 'audio/wav', buffer: Buffer.alloc(2_000) };
  await page.locator('#files').setInputFiles([file]);
  await page.locator('#upload-list a', { hasText: 'call.wav' }).waitFor();
  t.deepEqual(sent, ['/v1/files', '/v1/batches']);
});

test('a page is there once after its key has ended between', async (t) => {
  const page = await openWith(t, fullKey, recording);
  await page.locator('#play:enabled').waitFor();
  await page.route('**/data/result?*', (route) => route.fulfill({ status: 401, json: {} }), {
    times: 1,
  });
  // The refused box is cleared again: `check` would wait for it.
  await page.getByLabel('Hide card, account').click();
  await signInAgain(page);
  await page.locator('#play:enabled').waitFor();
  await page.getByRole('button', { name: 'Name speakers' }).click();
  t.is(await page.locator('dialog[open]').count(), 1);
  t.is(await page.locator('#wave > *').count(), 1, 'one player');
});
