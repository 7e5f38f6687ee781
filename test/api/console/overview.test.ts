// The console's figures and lists of batches: those of what was chosen, as they are now.
import test from 'ava';
import type { Page } from 'playwright-core';
import { batchId } from '../../screenshots/fixture.ts';
import { change, signedIn } from '../../screenshots/signed-in.ts';

/** The first tile with its number. */
const recordings = (page: Page, number: number) =>
  page.locator('#tiles dd', { hasText: new RegExp(`^${number}in `) });

test('figures are of the period that was chosen last', async (t) => {
  const { page, base } = await signedIn(t);
  const held = Promise.withResolvers<void>();
  await page.route('**/data/overview?*', async (route, request) => {
    const days = Number(new URL(request.url()).searchParams.get('days'));
    if (days === 90) await held.promise;
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), calls: days } });
  });
  await page.goto(`${base}/console`);
  await recordings(page, 14).waitFor();
  await page.getByLabel('Period').selectOption('90');
  await page.getByLabel('Period').selectOption('7');
  await recordings(page, 7).waitFor();
  const late = page.waitForResponse('**/data/overview?days=90');
  held.resolve();
  await (await late).finished();
  await page.evaluate('new Promise((done) => setTimeout(done))');
  t.is(await recordings(page, 7).count(), 1);
});

test('a batch that was dropped is in the figures once it has ended', async (t) => {
  const { page, base } = await signedIn(t);
  let calls = 0;
  await change(page, '**/data/overview?*', (overview) => (overview.calls = calls += 1));
  await change(page, '**/items?*', (list) => (list.has_more = false));
  await change(page, `**/v1/batches/${batchId}`, (batch) => {
    const counts = { total: 5, completed: 5, failed: 0, cancelled: 0 };
    Object.assign(batch, { status: 'completed', progress: 1, request_counts: counts });
  });
  await page.goto(`${base}/console`);
  await recordings(page, 1).waitFor();
  const files = ['a.wav', 'b.wav', 'c.wav', 'd.wav', 'e.wav'].map((name) => {
    return { name, mimeType: 'audio/wav', buffer: Buffer.alloc(2_000) };
  });
  await page.locator('#files').setInputFiles(files);
  // At its start, and at its end.
  await recordings(page, 3).waitFor();
  t.is(calls, 3);
});

for (const path of ['console', 'console/batches']) {
  test(`cards of batches in progress go on, and keep the focus: ${path}`, async (t) => {
    const { page, base } = await signedIn(t);
    let completed = 132;
    await change(page, '**/v1/batches?*', ({ data }) => {
      Object.assign(data[0].request_counts, { completed });
      if (completed === 200) data[0].status = 'completed';
    });
    await page.goto(`${base}/${path}`);
    const card = page.locator(`#${batchId}`).first();
    await card.getByText('132 of 200 done').waitFor();
    await card.getByRole('link', { name: '3 failed' }).focus();
    completed = 197;
    await card.getByText('197 of 200 done').waitFor();
    await page.locator(':focus', { hasText: '3 failed' }).waitFor();
    completed = 200;
    await card.locator('.state', { hasText: 'completed' }).waitFor();
    t.pass();
  });
}

test('charts lead to the recordings that they count', async (t) => {
  const { page, base } = await signedIn(t);
  await page.goto(`${base}/console`);
  await recordings(page, 712).waitFor();
  for (const name of ['angry', 'neutral', 'German']) {
    const href = await page.getByRole('link', { name, exact: true }).getAttribute('href');
    t.regex(href!, /[?&]from=2026-11-0[89]$/, name);
  }
});
