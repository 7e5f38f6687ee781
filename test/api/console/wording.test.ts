// What the console's pages say of lengths, of silence, and of what is not there.
import test from 'ava';
import { pageAssets } from '../../../api/console/assets.ts';
import { batchId } from '../../screenshots/fixture.ts';
import { change, signedIn } from '../../screenshots/signed-in.ts';

const recording = `console/recording?batch=${batchId}&item=1`;

test('lengths are rounded, and have tenths below a second; moments are not', async (t) => {
  const { page, base } = await signedIn(t);
  await page.goto(`${base}/console`);
  const module = `${base}/${pageAssets().path}/dom.js`;
  const texts = await page.evaluate(`import('${module}').then(({ clock, lengthText }) => [
    [0, 0.04, 0.1, 0.8, 0.96, 57.915, 3_599.6].map(lengthText), [0.8, 57.915].map(clock),
  ])`);
  t.deepEqual(texts, [
    ['0:00', '0:00', '0.1\u00a0s', '0.8\u00a0s', '0:01', '0:58', '1:00:00'],
    ['0:00', '0:57'],
  ]);
});

test('a recording has the same length on its page and in the lists', async (t) => {
  const { page, base } = await signedIn(t);
  await change(page, '**/data/recordings?*', ({ data }) => {
    data[0].duration = 57.915;
    Object.assign(data[1], { duration: 0.1, words: 0, excerpt: [] });
  });
  await change(page, '**/data/result?*', (result) => {
    result.duration = 57.915;
    result.metrics.overlap_seconds = 0.8;
  });
  await page.goto(`${base}/console/recordings`);
  const facts = page.locator('#recordings .line > .quiet');
  t.regex(await facts.nth(0).innerText(), /^0:58 · English · /);
  t.regex(await facts.nth(1).innerText(), /^0\.1\ss · no speech · agent, customer$/);
  await page.goto(`${base}/${recording}`);
  await page.locator('#play:enabled').waitFor();
  t.regex(await page.locator('#facts').innerText(), /^0:58 · English/);
  t.regex(await page.locator('#clock').innerText(), /^0:00 \/ 0:58$/);
  t.regex(await page.locator('#shares').innerText(), /, 0\.8\ss of overlap$/);
  const lanes = await page.locator('.lane-names span').allInnerTexts();
  t.deepEqual(lanes, ['agent', 'customer', 'Emotions', 'Styles']);
});

test('what the plan has left is without the minutes beyond it', async (t) => {
  const { page, base } = await signedIn(t);
  const tile = page.locator('#tiles .tile', { hasText: 'Plan left' });
  await page.goto(`${base}/console`);
  const plan = 'Plan left\n130h\n37 h of 167 h taken · subscription';
  t.is(await tile.innerText(), plan);
  let overage: object = { used_minutes: 2, allowed_minutes: 480 };
  await change(page, '**/data/overview?*', (overview) => (overview.plan.overage = overage));
  await page.reload();
  await tile.getByText('overage').waitFor();
  t.is(await tile.innerText(), `${plan} · overage: 2 min of 480 min taken`);
  overage = { used_minutes: 0, allowed_minutes: null };
  await page.reload();
  await tile.getByText('no limit').waitFor();
  t.is(await tile.innerText(), `${plan} · overage: 0 min taken, no limit`);
});

test('a number stays beside its word', async (t) => {
  const { page, base } = await signedIn(t);
  await change(page, '**/data/recording?*', (about) => (about.speakers = null));
  await page.goto(`${base}/${recording}`);
  const head = page.locator('#talk th .who').first();
  await head.waitFor();
  t.is(await head.textContent(), 'Speaker\u00a00');
  const arrows = `[...document.querySelectorAll('.trail a')].flatMap((link) =>
    ['::before', '::after'].map((place) => getComputedStyle(link, place).content))`;
  // A line of the trail never begins with the arrow.
  t.deepEqual(await page.evaluate(arrows), ['none', '"›" / ""', 'none', 'none']);
});

test('neutral is shown, and only nothing at all is no emotion', async (t) => {
  const { page, base } = await signedIn(t);
  const chart = page.locator('#emotion-chart');
  await page.goto(`${base}/console`);
  await chart.getByText('neutral in 702 recordings').waitFor();
  t.is(await chart.locator('li').count(), 4, 'the others have bars');
  await change(page, '**/data/overview?*', (overview) => {
    overview.emotions = [{ label: 'neutral', recordings: 1 }];
  });
  await page.reload();
  await chart.getByText('neutral in 1 recording, and no other emotion').waitFor();
  t.is(await chart.locator('ul').count(), 0);
  await page.unroute('**/data/overview?*');
  await change(page, '**/data/overview?*', (overview) => (overview.emotions = []));
  await page.reload();
  await chart.getByText('No emotions yet').waitFor();
});

test('a batch without a name has its id once', async (t) => {
  const { page, base } = await signedIn(t);
  await change(page, `**/v1/batches/${batchId}`, (batch) => {
    // One in progress would be told of, name and all.
    Object.assign(batch, { status: 'completed', metadata: {} });
  });
  await page.goto(`${base}/console/batch?id=${batchId}`);
  await page.locator('#items li').first().waitFor();
  t.is(await page.getByText(batchId).count(), 1);
  await page.unroute(`**/v1/batches/${batchId}`);
  await page.reload();
  await page.locator('#state code', { hasText: batchId }).waitFor();
});

test('an address without a page shows so to people, and stays JSON for programs', async (t) => {
  const { page, base, errors } = await signedIn(t);
  for (const path of ['console/nopage', 'console/no/page']) {
    const response = await page.goto(`${base}/${path}`);
    t.is(response?.status(), 404, path);
    await page.getByRole('heading', { name: 'There is nothing to show' }).waitFor();
    await page.getByRole('link', { name: 'All recordings' }).click();
    await page.waitForURL(`${base}/console/recordings`);
  }
  await page.goto(`${base}/console/`);
  await page.locator('#tiles dd').first().waitFor();
  t.deepEqual(
    errors.filter((error) => !error.startsWith('Failed to load resource')),
    [],
  );
  const answer = await fetch(`${base}/console/nopage`);
  t.is(answer.status, 404);
  t.like(await answer.json(), {
    error: { code: 'not_found', message: 'There is no GET /console/nopage here.' },
  });
});

test('words a minute that are not known are no 0, and a full stop is no moment', async (t) => {
  const { page, base } = await signedIn(t);
  await change(page, '**/data/result?*', ({ metrics }) => {
    metrics.speakers[0].words_per_minute = null;
  });
  await page.goto(`${base}/console/compare?a=${batchId}.1&b=${batchId}.2`);
  const row = page.locator('#figures tr', { hasText: 'Words a minute' });
  t.regex(await row.innerText(), /agent: –/);
  await page.goto(`${base}/${recording}#t=8.3.`);
  await page.locator('#play:enabled').waitFor();
  t.is(await page.getByRole('slider').getAttribute('aria-valuenow'), '8.3');
});
