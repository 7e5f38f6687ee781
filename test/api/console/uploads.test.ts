// Dropped files on the console: what is sent, what is told of it, and what one of them can spoil.
import test from 'ava';
import { signedIn } from '../../screenshots/signed-in.ts';

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
