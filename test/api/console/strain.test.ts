// Pages and reports with names as long as they may be, also in scripts that run from right to left,
// on a narrow screen or magnified four times: nothing is beside it, and names keep their places.
import test from 'ava';
import type { Page } from 'playwright-core';
import { toHtml } from '../../../models/exports/report.ts';
import { batchId, callView } from '../../screenshots/fixture.ts';
import { change, signedIn } from '../../screenshots/signed-in.ts';
import { openPage } from '../../support/browser.ts';

/** 1280 pixels magnified four times, as WCAG 1.4.10 has it. */
const width = 320;
const longName = 'Donaudampfschifffahrtsgesellschaft-'.repeat(8).slice(0, 255);
const longSpeaker = longName.slice(0, 40);
const arabicName = 'محمد عبد الله (الدعم) 12';
const hebrewName = 'שרה כהן';
const recording = `console/recording?batch=${batchId}&item=1`;

async function strain(page: Page): Promise<void> {
  const view = callView([longSpeaker, arabicName]);
  await page.route('**/data/result?*', (route) => route.fulfill({ json: view }));
  await change(page, '**/data/recording?*', (body) => {
    body.item.custom_id = longName;
    body.speakers = [longSpeaker, arabicName];
    body.batch.metadata = { name: longName };
  });
  await change(page, '**/data/recordings?*', ({ data }) => {
    data[0].title = longName;
    data[0].speakers = [arabicName, hebrewName, longSpeaker];
    data[0].excerpt = [{ text: longName, isHit: false }];
  });
  await change(page, '**/v1/batches/*/items?*', ({ data }) => {
    data[0].id = data[0].custom_id = longName;
    data[2].error.message = longName;
  });
  await change(page, '**/v1/batches?*', ({ data }) => (data[0].metadata = { name: longName }));
  await page.setViewportSize({ width, height: 900 });
}

const widthOf = async (page: Page): Promise<number> =>
  Number(await page.evaluate('document.documentElement.scrollWidth'));

for (const path of [
  ...['console', 'console/recordings', 'console/batches', 'console/live', 'docs'],
  ...[`console/batch?id=${batchId}`, `console/compare?a=${batchId}.1&b=${batchId}.2`, recording],
]) {
  test(`a long name leaves nothing beside the screen: ${path.split('?')[0]}`, async (t) => {
    const { page, base, errors } = await signedIn(t);
    await strain(page);
    await page.goto(`${base}/${path}`);
    if (path !== 'docs') await page.locator('#content:not([inert])').waitFor();
    t.is(await widthOf(page), width);
    t.deepEqual(errors, []);
  });
}

/** From the left, in pixels. */
const placesOf = async (page: Page, names: readonly string[]): Promise<readonly number[]> => {
  const texts = names.map((name) => page.locator('bdi', { hasText: name }).first());
  return Promise.all(texts.map(async (text) => (await text.boundingBox())!.x));
};

test('names that run from right to left stay in their order', async (t) => {
  const { page, base } = await signedIn(t);
  await change(page, '**/data/recordings?*', ({ data }) => {
    data[0].speakers = [arabicName, hebrewName];
  });
  await page.goto(`${base}/console/recordings`);
  await page.locator('#content:not([inert])').waitFor();
  const [first, second] = await placesOf(page, [arabicName, hebrewName]);
  t.true(first! < second!);
});

test('a report of such names fits, each beside its own lane', async (t) => {
  const { page } = await openPage(t);
  await page.setViewportSize({ width, height: 900 });
  const segments = [arabicName, hebrewName, longSpeaker].map((speaker, i) => ({
    ...{ start: 4 * i, end: 4 * i + 3, speaker, text: longName, words: [] },
    ...{ emotions: [{ label: 'happy', score: 0.9 }], styles: [] },
  }));
  const result = { duration: 3_700, language: 'ar', segments };
  await page.setContent(toHtml(result, { title: longName, peaks: [0.1, 0.9] }));
  t.is(await widthOf(page), width);
  t.is(await page.locator('.transcript p[lang=ar][dir=auto]').count(), 3);
  for (const { speaker } of segments) {
    const name = (await page.locator('.lane', { hasText: speaker }).boundingBox())!;
    const lane = (await page.getByRole('img', { name: speaker, exact: true }).boundingBox())!;
    t.true(name.y < lane.y && lane.y - name.y < 60, speaker);
  }
});
