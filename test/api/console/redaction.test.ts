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
