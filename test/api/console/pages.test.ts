// The console's pages with the answers of a fixture: moments, redacted views, progress, and uploads
// to a service that is busy.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import test from 'ava';
import type { Page } from 'playwright-core';
import { batchId, callView, hourItem } from '../../screenshots/fixture.ts';
import { change, signedIn } from '../../screenshots/signed-in.ts';
import { withDirectory } from '../../support/speech.ts';
import { until } from '../../support/until.ts';

const recording = `console/recording?batch=${batchId}&item=1`;

const position = async (page: Page): Promise<number> =>
  Number(await page.getByRole('slider').getAttribute('aria-valuenow'));

test('a label leads to its strongest moment, and on to the next', async (t) => {
  const { page, base } = await signedIn(t);
  await page.goto(`${base}/${recording}&label=angry`);
  await page.locator('#transcript .current', { hasText: 'angry 0.84' }).waitFor();
  t.is(await position(page), 66);
  await page.getByRole('button', { name: 'angry, 7 moments: go to the next' }).click();
  t.is(await position(page), 92.4);
  // What somebody wanted to show comes before everything else.
  await page.goto(`${base}/${recording}&label=angry#t=31`);
  await page.reload();
  await page.locator('#transcript .current').waitFor();
  t.is(await position(page), 31);
});

test('who is named is known by what was said first', async (t) => {
  const { page, base } = await signedIn(t);
  await page.goto(`${base}/${recording}`);
  await page.getByRole('button', { name: 'Name speakers' }).click();
  const field = page.getByLabel('Speaker 1', { exact: true });
  t.is(await field.inputValue(), 'customer');
  const saying = page.locator(`#${await field.getAttribute('aria-describedby')}`);
  t.is(await saying.innerText(), '“My card was charged twice and nobody calls me back.”');
});

test('speakers who are given the same name are one everywhere', async (t) => {
  const { page, base } = await signedIn(t);
  let names = ['agent', 'customer'];
  await page.route('**/data/speakers?*', (route, request) => {
    names = request.postDataJSON().speakers;
    return route.fulfill({ json: { speakers: names } });
  });
  // As the service reads the names that it has kept.
  await page.route('**/data/result?*', (route) => route.fulfill({ json: callView(names) }));
  await page.goto(`${base}/${recording}`);
  await page.getByRole('button', { name: 'Name speakers' }).click();
  for (const number of [0, 1]) {
    await page.getByLabel(`Speaker ${number}`, { exact: true }).fill('Anna');
  }
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('#message', { hasText: 'kept with the batch' }).waitFor();
  t.deepEqual(await page.locator('#talk th .who').allInnerTexts(), ['Anna']);
  t.deepEqual(await page.locator('#talk tr:has-text("Turns") td').allInnerTexts(), ['42']);
  t.deepEqual(await page.locator('.lane-names span').allInnerTexts(), [
    ...['Anna', 'Emotions', 'Styles'],
  ]);
  t.is(await page.locator('#transcript .who.s0', { hasText: 'Anna' }).count(), 42);
  await change(page, '**/data/recordings?*', ({ data }) => (data[0].speakers = names));
  await page.goto(`${base}/console/recordings`);
  t.regex(await page.locator('#recordings .line > .quiet').first().innerText(), / · Anna · /);
});

const countDrawings = `
  window.drawings = 0;
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      if (target.id === 'transcript' && addedNodes.length > 0) window.drawings += 1;
    }
  }).observe(document, { childList: true, subtree: true });
`;

test('the redacted view is drawn once, and says what it hides', async (t) => {
  const { page, base } = await signedIn(t, { script: countDrawings });
  await page.goto(`${base}/${recording}&view=redacted`);
  await page.locator('#redacted-note', { hasText: '1 passage hidden and silenced' }).waitFor();
  await page.locator('#play:enabled').waitFor();
  // The document itself arrives with an empty list.
  t.is(await page.evaluate('window.drawings'), 1);
});

test('an item that is being analysed says what is done, and which share of it', async (t) => {
  const { page, base } = await signedIn(t);
  await page.goto(`${base}/console/batch?id=${batchId}`);
  const item = page.locator('#items li', { hasText: 'call-0473.wav' });
  await item.getByText('finding words and emotions, 61 %').waitFor();
  t.is(await item.locator('progress').getAttribute('value'), '0.61');
  t.is(await page.locator('#state progress').getAttribute('value'), '0.68');
});

test('a busy service is asked again under the same key; a rejected file says why', async (t) => {
  const { page, base } = await signedIn(t);
  const keys: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/v1/files')) keys.push(request.headers()['idempotency-key']);
  });
  await page.goto(`${base}/console`);
  await page.locator('#tiles dd').first().waitFor();
  const file = (name: string) => ({ name, mimeType: 'audio/wav', buffer: Buffer.alloc(2_000) });
  await page.locator('#files').setInputFiles(['notes.txt', 'busy.wav', '.hidden.wav'].map(file));
  await page.locator('#upload-list a', { hasText: 'busy.wav' }).waitFor();
  await page.locator('#upload-list .problem', { hasText: 'The file is not WAV' }).waitFor();
  t.is(await page.locator('#upload-list li').count(), 2, 'hidden files are left out');
  await page.locator('#upload-summary', { hasText: '1 not accepted' }).waitFor();
  const listed = await page.locator('#upload-list .name').allInnerTexts();
  t.deepEqual(listed, ['busy.wav', 'notes.txt'], 'by name');
  t.is(keys.length, 3);
  t.is(new Set(keys).size, 2);
});

test('a folder names its batch; what is hidden stays, and equal names have folders', async (t) => {
  const { page, base } = await signedIn(t);
  await withDirectory(async (parent) => {
    const folder = join(parent, 'monday');
    for (const path of ['a.wav', 'north/a.wav', 'north/b.wav', '.trash/c.wav', '.hidden.wav']) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), path);
    }
    await page.goto(`${base}/console`);
    await page.locator('#content:not([inert])').waitFor();
    const started = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith('/v1/batches'),
    );
    await page.locator('#folder').setInputFiles(folder);
    const order = (await started).postDataJSON();
    t.is(order.metadata.name, 'monday');
    t.deepEqual(
      order.items.map((item: { readonly custom_id: string }) => item.custom_id),
      ['monday/a.wav', 'monday/north/a.wav', 'b.wav'],
    );
  });
});

test('failures lead to the recordings that failed', async (t) => {
  const { page, base } = await signedIn(t);
  await page.goto(`${base}/console`);
  await page.getByRole('link', { name: '3 failed' }).first().click();
  await page.locator('#items li').first().waitFor();
  t.is(await page.getByLabel('Show').inputValue(), 'failed');
  // The page may just ask for those that failed once more.
  const asked = page.waitForRequest((request) => {
    return request.url().includes('/items?') && !request.url().includes('status=failed');
  });
  await page.getByLabel('Show').selectOption('completed');
  t.is(new URL((await asked).url()).searchParams.get('status'), 'completed');
  t.is(new URL(page.url()).searchParams.get('status'), 'completed');
});

test('from found word to found word the sound moves along', async (t) => {
  const { page, base } = await signedIn(t);
  await page.goto(`${base}/${recording}&q=refund`);
  await page.locator('#find-count', { hasText: '1 of 14' }).waitFor();
  const first = await position(page);
  t.true(first > 13 && first < 17.6, 'the first one');
  t.regex(await page.locator('.lit').innerText(), /refund/);
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  t.true((await position(page)) > first);
  t.regex(await page.locator('.lit').innerText(), /refund/);
});

const isInSight = `(() => {
  const [list, row] = ['#transcript', '#transcript .current']
    .map((name) => document.querySelector(name).getBoundingClientRect());
  return row.top >= list.top && row.bottom <= list.bottom;
})()`;

test('wherever one goes in an hour, its words come into sight', async (t) => {
  const { page, base } = await signedIn(t);
  await page.goto(`${base}/console/recording?batch=${batchId}&item=${hourItem}`);
  await page.locator('#content:not([inert])').waitFor();
  const box = (await page.getByRole('slider').boundingBox())!;
  for (const share of [0.5, 0.9, 0.2]) {
    await page.mouse.click(box.x + box.width * share, box.y + 10);
    await until(
      () => page.evaluate<boolean>(isInSight),
      (seen) => seen,
    );
  }
  t.pass();
});
