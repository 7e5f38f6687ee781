// The console's lists of recordings and of a batch's items: what is asked for, and where it leads.
import test from 'ava';
import { largeBatchId } from '../../screenshots/fixture.ts';
import { signedIn } from '../../screenshots/signed-in.ts';

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
  const end = Promise.withResolvers<void>();
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
  await page.route('**/events', async (route) => {
    await end.promise;
    const batch = { id: largeBatchId, status, request_counts: { total: 250, cancelled: 250 } };
    const body = `data:${JSON.stringify({ ...batch, metadata: {}, progress: 1 })}\n\n`;
    await route.fulfill({ contentType: 'text/event-stream', body });
  });
  await page.goto(`${base}/console/batch?id=${largeBatchId}`);
  await page.locator('#more').click();
  await page.locator('#items li:nth-child(200) .queued').waitFor();
  status = 'cancelled';
  end.resolve();
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

test('progress is followed on over streams that break or end', async (t) => {
  const { page, base } = await signedIn(t);
  // A page that asks for nothing by itself.
  await page.goto(`${base}/console/recordings`);
  await page.locator('#content:not([inert])').waitFor();
  const statuses = await page.evaluate(async (address) => {
    const { createService } = await import(address);
    const answers = [
      { status: 200, body: 'data:{"status":"queued"}\n\n' },
      { status: 503, body: '' },
      null,
      { status: 200, body: 'data:{"status":"in_progress"}\n\ndata:{"status":"completed"}\n\n' },
    ];
    globalThis.fetch = async () => {
      const answer = answers.shift();
      if (!answer) throw new TypeError('network error');
      return new Response(answer.body, { status: answer.status });
    };
    const seen: string[] = [];
    const service = createService(
      () => 'key',
      () => {},
    );
    await service.watch('batch', ({ status }: { status: string }) => {
      // What it has shown is shown again now and then.
      if (seen.at(-1) !== status) seen.push(status);
    });
    globalThis.fetch = async () => new Response('{}', { status: 404 });
    const rejected = await service.watch('batch', () => {}).catch((error: Error) => error.message);
    return [...seen, rejected];
  }, `${base}/console/assets/any/service.js`);
  t.deepEqual(statuses, ['queued', 'in_progress', 'completed', 'The service answered 404.']);
});

test('a list that cannot be read holds one stream at a time, and is given up', async (t) => {
  const { page, base } = await signedIn(t);
  // A page that asks for nothing by itself.
  await page.goto(`${base}/console/recordings`);
  await page.locator('#content:not([inert])').waitFor();
  const seen = await page.evaluate(async (address) => {
    const { createService, Rejected } = await import(address);
    let [open, most, times] = [0, 0, 0];
    const cancel = (): void => void (open -= 1);
    globalThis.fetch = async () => {
      most = Math.max(most, (open += 1));
      const start = (stream: ReadableStreamDefaultController): void =>
        stream.enqueue(new TextEncoder().encode('data:{"status":"in_progress"}\n\n'));
      return new Response(new ReadableStream({ start, cancel }));
    };
    // The pauses between attempts take no time.
    const wait = globalThis.setTimeout;
    globalThis.setTimeout = ((done: () => void) => wait(done)) as typeof setTimeout;
    const service = createService(
      () => 'key',
      () => {},
    );
    const given = await service
      .watch('batch', async () => {
        times += 1;
        throw new Rejected(
          times < 20 ? 'The service is busy.' : 'For ever.',
          times < 20 ? 503 : 404,
        );
      })
      .catch((error: Error) => error.message);
    return { open, most, times, given };
  }, `${base}/console/assets/any/service.js`);
  t.deepEqual(seen, { open: 0, most: 1, times: 9, given: 'The service is busy.' });
});
