// Dropped files on the console: what is sent, what is told of it, and what one of them can spoil.
import test from 'ava';
import type { Page } from 'playwright-core';
import { isPlainText } from '../../../models/contract/plain-text.ts';
import { signedIn } from '../../screenshots/signed-in.ts';
import { until } from '../../support/until.ts';

const file = (name: string) => ({ name, mimeType: 'audio/wav', buffer: Buffer.alloc(2_000) });

/** As many as the batch of the fixture has items. */
const five = ['a.wav', 'b.wav', 'c.wav', 'd.wav', 'e.wav'].map(file);

test('a batch whose start meets a broken connection is started under the same key', async (t) => {
  const { page, base } = await signedIn(t);
  const keys: (string | undefined)[] = [];
  await page.route(/\/v1\/batches$/, async (route, request) => {
    keys.push(request.headers()['idempotency-key']);
    if (keys.length === 1) return route.abort('connectionreset');
    return route.continue();
  });
  await page.goto(`${base}/console`);
  await page.locator('#tiles dd').first().waitFor();
  await page.locator('#files').setInputFiles(five);
  const [started, message] = [
    page.locator('#upload-list a', { hasText: 'a.wav' }),
    page.locator('#message.error'),
  ];
  await started.or(message).first().waitFor();
  t.deepEqual(await message.allTextContents(), []);
  t.is(keys.length, 2);
  t.is(new Set(keys).size, 1);
});

/** Batches that go on for ever, and how often the items of each were asked for. */
async function endlessBatches(page: Page): Promise<readonly number[]> {
  const [totals, asked]: [number[], number[]] = [[], []];
  const body = (index: number) => ({
    ...{ id: `batch_${index}`, status: 'in_progress', progress: 0.1, metadata: {} },
    ...{ audio_seconds: { done: 0, left: null }, estimated_completion_at: null },
    request_counts: { total: totals[index], completed: 0, failed: 0, cancelled: 0 },
  });
  const indexOf = (address: string) => Number(/batch_(\d)/.exec(address)![1]);
  await page.route(/\/v1\/batches$/, (route, request) => {
    totals.push(request.postDataJSON().items.length);
    asked.push(0);
    return route.fulfill({ json: body(totals.length - 1) });
  });
  await page.route('**/items?*', (route, request) => {
    const index = indexOf(request.url());
    asked[index]! += 1;
    const item = { status: 'running', progress: null, error: null };
    const data = Array.from({ length: totals[index]! }, (_, i) => ({ ...item, index: i }));
    return route.fulfill({ json: { data, has_more: false, last_id: null } });
  });
  await page.route(/\/v1\/batches\/batch_\d$/, (route, request) =>
    route.fulfill({ json: body(indexOf(request.url())) }),
  );
  return asked;
}

test('a second drop leaves the rows of the first, and the line tells of it alone', async (t) => {
  const { page, base } = await signedIn(t);
  const asked = await endlessBatches(page);
  const rejected = Promise.withResolvers<void>();
  await page.route('**/v1/files', async (route, request) => {
    if (request.postDataBuffer()!.includes('late.txt')) await rejected.promise;
    await route.continue();
  });
  await page.goto(`${base}/console`);
  await page.locator('#tiles dd').first().waitFor();
  const [problems, summary] = [page.locator('#problems-label'), page.locator('#upload-summary')];
  await page.locator('#files').setInputFiles(['one.wav', 'uno.wav', 'late.txt'].map(file));
  await summary.getByText('Sending: 2 of 3 files').waitFor();
  t.true(await problems.isHidden());
  await page.locator('#files').setInputFiles([file('two.wav')]);
  await summary.getByText('0 of 1 done').waitFor();
  const lines = `
    window.lines = [];
    const line = document.querySelector('#upload-summary');
    new MutationObserver(() => window.lines.push(line.textContent))
      .observe(line, { childList: true });
  `;
  await page.evaluate(lines);
  rejected.resolve();
  // Each time its line would have been written before.
  await until(
    () => asked[1] ?? 0,
    (times) => times >= 2,
  );
  const names = await page.locator('#upload-list .name').allTextContents();
  t.deepEqual(names, ['two.wav', 'late.txt', 'one.wav', 'uno.wav']);
  const found = await page.locator('#upload-list .problem .name').allTextContents();
  t.deepEqual(found, ['late.txt']);
  t.true(await problems.isVisible());
  const told = new Set(await page.evaluate<readonly string[]>('window.lines'));
  t.deepEqual(
    [...told].filter((line) => !line.startsWith('0 of 1 done.')),
    [],
  );
});

const modules = `${import.meta.dirname}/../../../api/console/page`;

test('names that are cut or have control characters are ones that a batch takes', async (t) => {
  const { distinctNames } = await import(`${modules}/dropped-files.js`);
  const [begin, end] = ['a'.repeat(86), `${'b'.repeat(27)}, part 2.wav`];
  const long = `x/${begin}\u{1f600}${'c'.repeat(20)}\u{1f600}${end}`;
  const names: readonly string[] = distinctNames([long, 'tab\tname.wav']);
  t.deepEqual(names, [`${begin}…${end}`, 'tab_name.wav']);
  t.true(names.every(isPlainText));
  t.deepEqual(distinctNames(['a\tb', 'a_b']), ['1 a_b', '2 a_b']);
});

test('more files than a batch takes are refused before one is sent', async (t) => {
  const { page, base } = await signedIn(t);
  let sent = 0;
  await page.route('**/v1/files', (route) => {
    sent += 1;
    return route.fulfill({ status: 400, json: {} });
  });
  await page.goto(`${base}/console`);
  await page.locator('#tiles dd').first().waitFor();
  await page.evaluate(`{
    const transfer = new DataTransfer();
    for (let i = 0; i <= 10_000; i += 1) transfer.items.add(new File(['x'], i + '.wav'));
    const field = document.getElementById('files');
    field.files = transfer.files;
    field.dispatchEvent(new Event('change'));
  }`);
  const message = page.locator('#message.error');
  await message.or(page.locator('#upload-list .problem')).first().waitFor();
  t.deepEqual(await message.allTextContents(), [
    'A batch takes at most 10,000 files, and these are 10,001.',
  ]);
  t.is(sent, 0);
});

test('drops that are sent at once leave connections for the page', async (t) => {
  const { page, base } = await signedIn(t);
  await endlessBatches(page);
  let [sending, most] = [0, 0];
  const held = Promise.withResolvers<void>();
  await page.route('**/v1/files', async (route) => {
    most = Math.max(most, (sending += 1));
    await held.promise;
    sending -= 1;
    await route.continue();
  });
  await page.goto(`${base}/console`);
  await page.locator('#tiles dd').first().waitFor();
  await page.locator('#files').setInputFiles(five);
  await page.locator('#files').setInputFiles(five);
  await until(
    () => sending,
    (now) => now >= 4,
  );
  await page.evaluate('new Promise((done) => setTimeout(done, 100))');
  held.resolve();
  await page.locator('#upload-list').getByText('being analysed').nth(9).waitFor();
  t.is(most, 4);
});

test('the same file can be chosen again while its batch is followed', async (t) => {
  const { page, base } = await signedIn(t);
  await endlessBatches(page);
  await page.goto(`${base}/console`);
  await page.locator('#tiles dd').first().waitFor();
  await page.locator('#files').setInputFiles([file('call.wav')]);
  await page.locator('#upload-summary', { hasText: '0 of 1 done' }).waitFor();
  t.is(await page.locator('#files').inputValue(), '');
});

test('a key that ends among uploads is asked for, and no further file is tried', async (t) => {
  const { page, base } = await signedIn(t);
  let sent = 0;
  await page.route('**/v1/files', (route) => {
    sent += 1;
    return route.fulfill({ status: 401, json: { error: { message: 'The key has expired.' } } });
  });
  await page.goto(`${base}/console`);
  await page.locator('#tiles dd').first().waitFor();
  const names = Array.from({ length: 12 }, (_, i) => `${i}.wav`);
  await page.locator('#files').setInputFiles(names.map(file));
  await page.locator('#sign-in:not([hidden])').or(page.locator('#message.error')).first().waitFor();
  t.true(await page.locator('#sign-in').isVisible());
  t.true(sent <= 4, 'those that were under way');
});
