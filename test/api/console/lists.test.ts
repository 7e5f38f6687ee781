// The console's lists of recordings and of a batch's items: what is asked for, and where it leads.
import test from 'ava';
import { largeBatchId } from '../../screenshots/fixture.ts';
import { change, signedIn } from '../../screenshots/signed-in.ts';

test('days of a search begin and end where the browser is', async (t) => {
  // At midnight the clock was put forward by an hour.
  const { page, base } = await signedIn(t, { context: { timezoneId: 'Asia/Beirut' } });
  const asked = page.waitForRequest('**/data/recordings?*');
  await page.goto(`${base}/console/recordings?from=2022-03-27&to=2022-03-27`);
  const { searchParams: query } = new URL((await asked).url());
  t.is(query.get('from'), '2022-03-26T22:00:00.000Z');
  t.is(query.get('to'), '2022-03-27T21:00:00.000Z');
  await page.locator('#recordings .name').first().waitFor();
  t.is(new URL(page.url()).search, '?from=2022-03-27&to=2022-03-27', 'a bookmark has the days');
});

test('a word that is left out is none that a recording is opened at', async (t) => {
  const { page, base } = await signedIn(t);
  for (const [words, wanted] of [
    ['-test morning', 'morning'],
    ['-"credit card" e-mail', 'e'],
    ['"two -words"', 'two'],
    ['-test', null],
  ] as const) {
    await page.goto(`${base}/console/recordings?q=${encodeURIComponent(words)}`);
    const href = await page.locator('#recordings .name').first().getAttribute('href');
    t.is(new URL(href!, page.url()).searchParams.get('q'), wanted, words);
  }
});

test('a list that was lengthened is read again when its batch has ended', async (t) => {
  const { page, base } = await signedIn(t);
  let status = 'queued';
  const items = Array.from({ length: 250 }, (_, index) => {
    const name = `call-${index}.wav`;
    return { custom_id: name, index, audio_seconds: null, progress: null, error: null };
  });
  await page.route('**/items?*', (route, request) => {
    const { searchParams: query } = new URL(request.url());
    const from = items.findIndex((item) => item.custom_id === query.get('after')) + 1;
    const to = from + Number(query.get('limit'));
    const data = items.slice(from, to).map((item) => ({ ...item, status }));
    return route.fulfill({ json: { data, has_more: to < items.length } });
  });
  await change(page, `**/v1/batches/${largeBatchId}`, (batch) => Object.assign(batch, { status }));
  await page.goto(`${base}/console/batch?id=${largeBatchId}`);
  await page.locator('#more').click();
  await page.locator('#items li:nth-child(200) .queued').waitFor();
  status = 'cancelled';
  await page.locator('#items li:nth-child(200) .cancelled').waitFor();
  t.is(await page.locator('#items .cancelled').count(), 200);
  await page.locator('#more').click();
  await page.locator('#items li:nth-child(250)').waitFor();
  t.true(await page.locator('#more').isHidden());
});

test('the list is of the search that was asked for last, each recording once', async (t) => {
  const { page, base } = await signedIn(t);
  const held = Promise.withResolvers<void>();
  await page.route('**/data/recordings?*', async (route, request) => {
    const { searchParams: query } = new URL(request.url());
    if (query.get('label') === 'angry') await held.promise;
    const id = `${query.get('label') ?? 'all'}-${query.get('after') ?? 'first'}`;
    const { data } = (await (await route.fetch()).json()) as { readonly data: readonly object[] };
    await route.fulfill({ json: { data: [{ ...data[0], id, title: id }], has_more: true } });
  });
  const names = page.locator('#recordings .name');
  await page.goto(`${base}/console/recordings`);
  await names.first().waitFor();
  await page.selectOption('#label', 'angry');
  await page.selectOption('#label', 'happy');
  await page.locator('.name', { hasText: 'happy-first' }).waitFor();
  const late = page.waitForResponse('**/data/recordings?*label=angry*');
  held.resolve();
  await (await late).finished();
  await page.locator('#more').dblclick();
  await page.locator('.name', { hasText: 'happy-happy-first' }).first().waitFor();
  t.deepEqual(await names.allTextContents(), ['happy-first', 'happy-happy-first']);
});
