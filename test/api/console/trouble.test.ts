// The console while something fails: what is said, for how long, and what can be done about it.
import test from 'ava';
import { batchId } from '../../screenshots/fixture.ts';
import { fullKey, servePages } from '../../screenshots/serve.ts';
import { change, signedIn } from '../../screenshots/signed-in.ts';
import { openContext, openPage } from '../../support/browser.ts';

test('the browser asks before a page is left whose files are in no batch yet', async (t) => {
  const { page, base } = await signedIn(t);
  const started = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  await page.route(/\/v1\/batches$/, async (route) => {
    started.resolve();
    await held.promise;
    await route.continue();
  });
  await page.goto(`${base}/console`);
  await page.locator('#tiles dd').first().waitFor();
  const file = { name: 'call.wav', mimeType: 'audio/wav', buffer: Buffer.alloc(2_000) };
  await page.locator('#files').setInputFiles([file]);
  await started.promise;
  const isAsked = `!dispatchEvent(new Event('beforeunload', { cancelable: true }))`;
  t.true(await page.evaluate(isAsked));
  held.resolve();
  await page.locator('#upload-list a', { hasText: 'call.wav' }).waitFor();
  t.false(await page.evaluate(isAsked));
});

test('files of which no batch could be started say so', async (t) => {
  const { page, base } = await signedIn(t);
  await page.route(/\/v1\/batches$/, (route) =>
    route.fulfill({ status: 402, json: { error: { message: 'The plan is used up.' } } }),
  );
  await page.goto(`${base}/console`);
  await page.locator('#tiles dd').first().waitFor();
  const file = { name: 'call.wav', mimeType: 'audio/wav', buffer: Buffer.alloc(2_000) };
  await page.locator('#files').setInputFiles([file]);
  await page.locator('#message.error', { hasText: 'The plan is used up.' }).waitFor();
  await page.locator('#upload-list .problem', { hasText: 'no batch was started' }).waitFor();
  t.pass();
});

test('an error goes with the next success, and waiting is told', async (t) => {
  const { page, base } = await signedIn(t);
  await page.goto(`${base}/console/recordings`);
  await page.locator('#recordings .name').first().waitFor();
  const found = await page.locator('#found').innerText();
  const held = Promise.withResolvers<void>();
  await page.route('**/data/recordings?*', async (route) => {
    await held.promise;
    await route.abort('connectionreset');
  });
  await page.locator('#q').fill('package');
  await page.keyboard.press('Enter');
  await page.locator('#found', { hasText: 'Searching …' }).waitFor();
  held.resolve();
  const error = page.locator('#message.error', { hasText: 'connection to the service was lost' });
  await error.waitFor();
  await page.unroute('**/data/recordings?*');
  await page.keyboard.press('Enter');
  await page.locator('#found', { hasText: found }).waitFor();
  t.is(await error.count(), 0);
  t.is(await page.locator('#message').innerText(), '');
});

test('a page that a passing error kept away can be loaded again', async (t) => {
  const { page, base } = await signedIn(t);
  await page.route('**/data/overview?*', (route) => route.fulfill({ status: 429, json: {} }), {
    times: 1,
  });
  await page.goto(`${base}/console`);
  await page.getByRole('heading', { name: 'The page could not be loaded' }).waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.locator('#tiles dd').first().waitFor();
  t.pass();
});

test('a recording that failed says why, and an address without a batch says so', async (t) => {
  const { page, base } = await signedIn(t);
  await change(page, '**/data/recording?*', (about) => {
    about.item.error = { code: 'audio_undecodable', message: 'The audio stops.' };
  });
  await page.route('**/data/result?*', (route) => route.fulfill({ status: 404, json: {} }));
  await page.goto(`${base}/console/recording?batch=${batchId}&item=1`);
  await page.getByText('It was not analysed: The audio stops.').waitFor();
  await page.goto(`${base}/console/batch`);
  await page.getByText('The address names no batch.').waitFor();
  t.pass();
});

test('a key with characters that no key has is not valid', async (t) => {
  const { page } = await openPage(t);
  const { base, close } = await servePages();
  t.teardown(close);
  await page.goto(`${base}/console`);
  for (const key of ['ключ', 'svc_live_…', 'svc_test\u200bfull']) {
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    const error = page.locator('#sign-in-error');
    await error.filter({ hasText: /./ }).waitFor();
    t.is(await error.innerText(), 'The API key is not valid.', key);
    await page.reload();
  }
});

test('signing out in one tab signs out in the others of the device', async (t) => {
  const { page } = await openPage(t);
  const { base, close } = await servePages();
  t.teardown(close);
  const context = await openContext(page.context().browser()!);
  const [first, second] = [await context.newPage(), await context.newPage()];
  await first.goto(`${base}/blank`);
  await first.evaluate(`localStorage.setItem('key', '${fullKey}')`);
  for (const tab of [first, second]) {
    await tab.goto(`${base}/console/recordings`);
    await tab.locator('#recordings .name').first().waitFor();
  }
  await first.getByRole('button', { name: 'Sign out' }).click();
  await second.getByLabel('API key').waitFor();
  t.is(await second.locator('#recordings .name').count(), 0);
  t.is(await second.locator('#sign-in-error').innerText(), '');
});

test('whoever comes back from a recording goes on where the list was left', async (t) => {
  const { page, base } = await signedIn(t);
  await change(page, '**/data/recordings?*', (list) => {
    for (const [i, each] of list.data.entries()) each.id = `${batchId}.${i}`;
  });
  await page.goto(`${base}/console/recordings`);
  const names = page.locator('#recordings .name');
  await names.first().waitFor();
  await page.locator('#more').click();
  await names.nth(11).waitFor();
  await names.nth(10).evaluate((link: any) => link.setAttribute('href', 'live'));
  await names.nth(10).click();
  await page.waitForURL(`${base}/console/live`);
  await page.goBack();
  await names.nth(11).waitFor();
  t.true(Number(await page.evaluate('scrollY')) > 0);
});

test('whoever comes back from a batch finds as many of them', async (t) => {
  const { page, base } = await signedIn(t);
  await change(page, '**/v1/batches?*', (list) => {
    list.has_more = true;
    // One that goes on would be asked for again.
    for (const each of list.data) each.status = 'completed';
  });
  await page.goto(`${base}/console/batches`);
  const asked = (): Promise<unknown> => page.waitForResponse('**/v1/batches?limit=40');
  await page.locator('#batches .name').first().waitFor();
  await Promise.all([asked(), page.locator('#more').click()]);
  await page.locator('#batches .name').first().click();
  await page.locator('#items li').first().waitFor();
  await Promise.all([asked(), page.goBack()]);
  await page.locator('#batches .name').first().waitFor();
  t.pass();
});

for (const width of [320, 390, 1_280]) {
  test(`the options fit into the page: ${width}`, async (t) => {
    const { page, base } = await signedIn(t, { context: { viewport: { width, height: 844 } } });
    await page.goto(`${base}/console`);
    await page.getByText('Options: task').click();
    await page.getByLabel('Speakers').selectOption('separate');
    t.true(Number(await page.evaluate('document.documentElement.scrollWidth')) <= width);
    const box = await page.locator('#digits').boundingBox();
    t.true(box!.width < 30);
    await page.locator('#files').focus();
    const outline = `getComputedStyle(document.querySelector('label[for=folder]')).outlineStyle`;
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    t.is(await page.evaluate(outline), 'none');
  });

  test(`the last time of the axis stays in its card: ${width}`, async (t) => {
    const { page, base } = await signedIn(t, { context: { viewport: { width, height: 844 } } });
    await change(page, '**/data/result?*', (result) => (result.duration = 240));
    await page.goto(`${base}/console/recording?batch=${batchId}&item=1`);
    await page.locator('#play:enabled').waitFor();
    const [time, axis] = await Promise.all(
      ['#axis span:last-child', '#axis'].map((place) => page.locator(place).boundingBox()),
    );
    t.true(time!.x + time!.width <= axis!.x + axis!.width + 1);
  });
}
