// Every page by keyboard alone: everything that can be used is reached, in the order of the page,
// with a focus that is seen, and nothing holds it; menus and dialogs give it back.
import test from 'ava';
import type { Page } from 'playwright-core';
import { openPage } from '../../support/browser.ts';
import { until } from '../../support/until.ts';
import { pageStates } from '../../screenshots/states.ts';
import { servePages } from '../../screenshots/serve.ts';

interface Focused {
  /** Place in the document. */
  readonly index: number;
  readonly name: string;
  readonly isSeen: boolean;
}

/** What has the focus; null for nothing on the page. */
const focused = `(() => {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  // A hidden file field is shown by its label.
  const shown = element.matches('.visually-hidden') ? element.labels[0] : element;
  const { outlineStyle, outlineWidth } = getComputedStyle(shown);
  const { top, bottom, width, height } = shown.getBoundingClientRect();
  const isInside = bottom > 0 && top < innerHeight && width > 1 && height > 1;
  return {
    index: [...document.querySelectorAll('*')].indexOf(element),
    name: element.outerHTML.slice(0, 120),
    isSeen: isInside && outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2,
  };
})()`;

/** Places of everything that can be used now. */
const usable = `(() => {
  const all = [...document.querySelectorAll('*')];
  const wanted = 'a[href],button,input,select,summary,textarea,[tabindex="0"]';
  return all.flatMap((element, index) => {
    const isUsable = element.matches(wanted) && !element.disabled && !element.closest('[inert]');
    const isShown = element.checkVisibility({ visibilityProperty: true });
    return isUsable && isShown ? [{ index, name: element.outerHTML.slice(0, 120) }] : [];
  });
})()`;

/** Tab from the first link to where it leaves the page; a field of several parts is listed once. */
async function walk(page: Page, first: number): Promise<readonly Focused[]> {
  const found: Focused[] = [];
  for (;;) {
    await page.keyboard.press('Tab');
    const now = await page.evaluate<Focused | null>(focused);
    if (!now || now.index === first) return found;
    if (now.index !== found.at(-1)?.index) found.push(now);
  }
}

test('on every page everything is reached by Tab, in order, and seen', async (t) => {
  const { page } = await openPage(t);
  const { base, close } = await servePages();
  t.teardown(close);
  for (const [name, state] of Object.entries(pageStates)) {
    if (state.act) continue;
    await page.goto(`${base}/blank`);
    const store = state.key === null ? "removeItem('key')" : `setItem('key', '${state.key}')`;
    await page.evaluate(`sessionStorage.${store}`);
    await page.goto(`${base}/${state.path}`);
    if (state.key !== null) await page.locator('#content:not([inert])').waitFor();
    // A page that begins in a field is walked from its first link all the same.
    await page.evaluate("document.querySelector('.skip').focus()");
    const skip = (await page.evaluate<Focused>(focused)).index;
    const steps = await walk(page, skip);
    const wanted = await page.evaluate<readonly Focused[]>(usable);
    const reached = new Set([skip, ...steps.map(({ index }) => index)]);
    const missed = wanted.filter(({ index }) => !reached.has(index));
    t.deepEqual(missed, [], `${name}: not reached`);
    const unseen = steps.filter(({ isSeen }) => !isSeen);
    t.deepEqual(unseen, [], `${name}: not seen`);
    const order = steps.map(({ index }) => index);
    t.deepEqual(
      order,
      order.toSorted((a, b) => a - b),
      `${name}: order`,
    );
  }
});

test('menus and dialogs are opened, left by Escape, and give the focus back', async (t) => {
  const { page } = await openPage(t);
  const { base, close } = await servePages();
  t.teardown(close);
  const { path, key } = pageStates['recording']!;
  await page.addInitScript(`sessionStorage.setItem('key', '${key}')`);
  await page.goto(`${base}/${path}`);
  await page.locator('#content:not([inert])').waitFor();
  const has = (text: string) => page.locator(':focus', { hasText: text }).waitFor();

  await page.locator('#exports summary').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await has('srt');
  await page.keyboard.press('Escape');
  await page.locator('#exports:not([open])').waitFor();
  await has('Download');

  for (const [opener, inside] of [
    ['Name speakers', 'Save'],
    ['Delete', 'Delete for good'],
  ] as const) {
    await page.getByRole('button', { name: opener, exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.locator('dialog[open]').waitFor();
    const isInside = "document.activeElement.closest('dialog') !== null";
    t.true(await page.evaluate(isInside), 'the focus goes into the dialog');
    await page.keyboard.press('Shift+Tab');
    for (;;) {
      await page.keyboard.press('Tab');
      if (await page.locator('dialog :focus', { hasText: inside }).count()) break;
    }
    await page.keyboard.press('Escape');
    await until(
      () => page.locator('dialog').count(),
      (count) => count === 0,
    );
    await has(opener);
  }

  await page.getByRole('slider').focus();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  const [now, whole] = await Promise.all(
    ['aria-valuenow', 'aria-valuemax'].map((name) => page.getByRole('slider').getAttribute(name)),
  );
  t.is(Math.round(Number(whole) - Number(now)), 5);
});
