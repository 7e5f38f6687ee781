// Batches that the console follows: on many pages and by many drops at once, over failures.
import test from 'ava';
import { batchId } from '../../screenshots/fixture.ts';
import { fullKey } from '../../screenshots/serve.ts';
import { signedIn } from '../../screenshots/signed-in.ts';
import { openContext } from '../../support/browser.ts';

/** More than the connections that a browser has to a service, all of its tabs together. */
const pages = 7;

test('batches that are followed leave the browser connections for everything else', async (t) => {
  const { page, base } = await signedIn(t);
  const context = await openContext(page.context().browser()!);
  await context.addInitScript(`sessionStorage.setItem('key', '${fullKey}')`);
  for (let i = 0; i < pages; i += 1) {
    const tab = await context.newPage();
    await tab.goto(`${base}/console/batch?id=${batchId}`);
    await tab.locator('#items li').first().waitFor();
  }
  await page.goto(`${base}/console`);
  await page.locator('#tiles dd').first().waitFor();
  for (let i = 0; i < pages; i += 1) {
    const name = `drop-${i}.wav`;
    await page
      .locator('#files')
      .setInputFiles([{ name, mimeType: 'audio/wav', buffer: Buffer.alloc(2_000) }]);
    await page.locator('#upload-list a', { hasText: name }).waitFor();
  }
  t.is(await page.locator('#upload-list a').count(), pages);
});

test('progress is followed on over answers that fail or are lost', async (t) => {
  const { page, base } = await signedIn(t);
  // A page that asks for nothing by itself.
  await page.goto(`${base}/console/recordings`);
  await page.locator('#content:not([inert])').waitFor();
  const statuses = await page.evaluate(async (address) => {
    const { createService } = await import(address);
    const answers = [
      { status: 200, body: '{"status":"queued"}' },
      { status: 503, body: '' },
      null,
      { status: 200, body: '{"status":"in_pro' },
      { status: 200, body: '{"status":"in_progress"}' },
      { status: 200, body: '{"status":"completed"}' },
    ];
    globalThis.fetch = async () => {
      const answer = answers.shift();
      if (!answer) throw new TypeError('network error');
      return new Response(answer.body, { status: answer.status });
    };
    // The pauses between looks take no time.
    const wait = globalThis.setTimeout;
    globalThis.setTimeout = ((done: () => void) => wait(done)) as typeof setTimeout;
    const seen: string[] = [];
    const service = createService(
      () => 'key',
      () => {},
    );
    await service.watch('batch', ({ status }: { status: string }) => void seen.push(status));
    globalThis.fetch = async () => new Response('{}', { status: 404 });
    const rejected = await service.watch('batch', () => {}).catch((error: Error) => error.message);
    return [...seen, rejected];
  }, `${base}/console/assets/any/service.js`);
  t.deepEqual(statuses, ['queued', 'in_progress', 'completed', 'The service answered 404.']);
});

test('a list that cannot be read is asked for one at a time, and is given up', async (t) => {
  const { page, base } = await signedIn(t);
  // A page that asks for nothing by itself.
  await page.goto(`${base}/console/recordings`);
  await page.locator('#content:not([inert])').waitFor();
  const seen = await page.evaluate(async (address) => {
    const { createService, Rejected } = await import(address);
    let [open, most, times] = [0, 0, 0];
    globalThis.fetch = async () => {
      most = Math.max(most, (open += 1));
      return new Response('{"status":"in_progress"}');
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
        open -= 1;
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

test('looks become rarer, the more so the more batches a page follows', async (t) => {
  const { page, base } = await signedIn(t);
  await page.goto(`${base}/console/recordings`);
  await page.locator('#content:not([inert])').waitFor();
  const pauses = await page.evaluate(async (address) => {
    const { createService } = await import(address);
    const seen: number[] = [];
    const wait = globalThis.setTimeout;
    globalThis.setTimeout = ((done: () => void, ms: number) => {
      seen.push(ms);
      return wait(done);
    }) as typeof setTimeout;
    let left = 0;
    globalThis.fetch = async () =>
      new Response(JSON.stringify({ status: (left -= 1) > 0 ? 'in_progress' : 'completed' }));
    const service = createService(
      () => 'key',
      () => {},
    );
    const follow = (): Promise<void> => service.watch('batch', () => {});
    left = 5;
    await follow();
    const alone = seen.splice(0);
    left = 3;
    await Promise.all([follow(), follow()]);
    return { alone, together: seen };
  }, `${base}/console/assets/any/service.js`);
  t.deepEqual(pauses, { alone: [1_000, 2_000, 4_000, 4_000], together: [2_000, 2_000] });
});
