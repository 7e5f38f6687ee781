// The box that hides what can be found by form: what it says is what is shown, heard and asked.
import test from 'ava';
import type { Page } from 'playwright-core';
import { batchId } from '../../screenshots/fixture.ts';
import { signedIn } from '../../screenshots/signed-in.ts';

const recording = `console/recording?batch=${batchId}&item=1`;
const box = (page: Page) => page.getByLabel('Hide card, account');

/** A card in each turn, which the redacted view has as its kind. */
async function putCards(page: Page): Promise<void> {
  await page.route('**/data/result?*', async (route, request) => {
    const response = await route.fetch();
    const result = await response.json();
    const isRedacted = request.url().includes('view=redacted');
    for (const segment of result.segments) {
      segment.pieces = [isRedacted ? '[CARD]' : '4111111111111111', ' thanks'];
    }
    await route.fulfill({ response, json: result });
  });
}

const said = (page: Page, text: string) => page.locator('#transcript .said', { hasText: text });

test('the dialog that asks for names has the words that are shown', async (t) => {
  const { page, base } = await signedIn(t);
  await putCards(page);
  await page.goto(`${base}/${recording}`);
  for (const [isHidden, words] of [
    [true, '“[CARD] thanks”'],
    [false, '“4111111111111111 thanks”'],
  ] as const) {
    await box(page).setChecked(isHidden);
    await said(page, words.slice(1, -1)).first().waitFor();
    await page.getByRole('button', { name: 'Name speakers' }).click();
    t.deepEqual(await page.locator('dialog .saying').allTextContents(), [words, words]);
    await page.getByRole('button', { name: 'Cancel' }).click();
  }
});

test('of answers in another order the one that was asked for last is shown', async (t) => {
  const { page, base } = await signedIn(t);
  await putCards(page);
  await page.goto(`${base}/${recording}`);
  await page.locator('#play:enabled').waitFor();
  await box(page).check();
  await said(page, '[CARD]').first().waitFor();
  const held = Promise.withResolvers<void>();
  const whole = '**/data/result?*view=whole';
  await page.route(whole, async (route) => {
    await held.promise;
    await route.fallback();
  });
  await box(page).uncheck();
  await box(page).check();
  const late = page.waitForResponse(whole);
  held.resolve();
  await (await late).finished();
  await page.evaluate('new Promise((done) => setTimeout(done))');
  t.true(await box(page).isChecked());
  t.is(await said(page, '4111111111111111').count(), 0);
  t.regex(page.url(), /view=redacted/);
  const note = await page.locator('#redacted-note').innerText();
  t.is(note, '1 passage hidden and silenced. Downloads are not redacted.');
});

test('a view that is not given leaves the box as the transcript is', async (t) => {
  const { page, base } = await signedIn(t);
  await putCards(page);
  await page.goto(`${base}/${recording}`);
  await page.locator('#play:enabled').waitFor();
  const refuse = (view: string) =>
    page.route(
      `**/data/result?*view=${view}`,
      (route) =>
        route.fulfill({ status: 503, json: { error: { message: 'The service is busy.' } } }),
      { times: 1 },
    );
  for (const isHidden of [true, false]) {
    await refuse(isHidden ? 'redacted' : 'whole');
    await box(page).click();
    await page.locator('#message.error', { hasText: 'busy' }).waitFor();
    t.is(await box(page).isChecked(), !isHidden);
    await box(page).click();
    await said(page, isHidden ? '[CARD]' : '4111111111111111')
      .first()
      .waitFor();
    await page.evaluate("document.getElementById('message').textContent = ''");
  }
});

test('what was sought is found in the view that is shown', async (t) => {
  const { page, base } = await signedIn(t);
  await putCards(page);
  await page.goto(`${base}/${recording}`);
  await page.getByLabel('Words to find').fill('thanks');
  await box(page).check();
  await said(page, '[CARD]').first().waitFor();
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  t.is(await page.locator('#find-count').innerText(), '1 of 42');
  const marked = "[...CSS.highlights.get('found-now')].map(String)";
  t.deepEqual(await page.evaluate(marked), ['thanks']);
});
