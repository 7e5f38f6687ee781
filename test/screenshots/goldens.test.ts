// The comparison of pictures finds what a person would see, and nothing where nothing has changed.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { openContext, openPage } from '../support/browser.ts';
import { openGoldens } from './goldens.ts';
import { fullKey, servePages } from './serve.ts';

/** Small changes of the overview, as scripts. */
const changes: Readonly<Record<string, string>> = {
  'a colour': "document.querySelector('label[for=files]').style.background = '#1f6ac4'",
  'a button beside its place': "document.getElementById('days').style.marginLeft = '-6px'",
  'a line that is missing': "document.querySelector('.tile small').style.visibility = 'hidden'",
  'a line that is too much': "document.getElementById('batches').append('One more line')",
};

test('small changes of a page are found, and none where there is none', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-goldens-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const { page } = await openPage(t, { context: { reducedMotion: 'reduce' } });
  const { base, close } = await servePages();
  t.teardown(close);
  const painter = await (await openContext(page.context().browser()!)).newPage();
  await page.bringToFront();
  await page.setViewportSize({ width: 1_440, height: 900 });
  await page.addInitScript(`sessionStorage.setItem('key', '${fullKey}')`);
  const photograph = async (change = ''): Promise<Buffer> => {
    await page.goto(`${base}/console`);
    await page.locator('#content:not([inert])').waitFor();
    await page.evaluate(change);
    return page.screenshot({ fullPage: true, animations: 'disabled' });
  };
  const first = await openGoldens(painter, { folder, isUpdating: true });
  t.is(await first.check('overview', 1_440, await photograph()), null);
  const goldens = await openGoldens(painter, { folder, isUpdating: false });
  t.is(await goldens.check('overview', 1_440, await photograph()), null);
  for (const [name, change] of Object.entries(changes)) {
    const difference = await goldens.check('overview', 1_440, await photograph(change));
    t.regex(difference ?? 'nothing', /cells differ|its height is/, name);
    t.log(`${name}: ${difference}`);
  }
  t.is(await goldens.check('overview-2', 1_440, await photograph()), 'it has no golden picture');
});
