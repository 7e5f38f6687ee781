// `npm run drop`: a folder of 200 recordings, some of them broken, is dropped on the console of a
// running service; every file must end as a result or as a reason, and the page must stay
// responsive. All results are then exported as captions.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limitKey } from '../../db/api-keys.ts';
import { startServices } from '../runner/services.ts';
import { openPage } from '../support/browser.ts';
import { collectCleanup } from '../support/cleanup.ts';
import { joinSamples } from '../../models/audio/samples.ts';
import { silence, speech, toWav } from '../support/speech.ts';
import { until } from '../support/until.ts';
import { testStack, untilReady } from '../support/stack.ts';

const total = 200;
const sentences = [
  'Thank you for calling, how can I help you today?',
  'My card was charged twice and nobody calls me back.',
  'Please send the invoice to my new address.',
  'I will call you back tomorrow morning.',
];
/** Every 20th file, in turn: no recording, one that stops after its header, nothing at all. */
const broken = [Buffer.from('no recording'), null, Buffer.alloc(0)];

async function makeFolder(folder: string): Promise<number> {
  const spoken = await Promise.all(sentences.map((text) => speech(text)));
  let bad = 0;
  await mkdir(join(folder, 'north'), { recursive: true });
  await writeFile(join(folder, '.DS_Store'), 'hidden');
  for (let i = 0; i < total; i += 1) {
    // Each is another recording, so that nothing is answered from another's result.
    const samples = [spoken[i % spoken.length]!, silence(0.2 + i / 400)];
    const recording = toWav(joinSamples(samples));
    const isBroken = i % 20 === 7;
    const content = isBroken
      ? (broken[bad % broken.length] ?? recording.subarray(0, 44))
      : recording;
    if (isBroken) bad += 1;
    const part = i % 2 === 0 ? 'north' : '.';
    await writeFile(join(folder, part, `call-${String(i).padStart(3, '0')}.wav`), content);
  }
  return bad;
}

/** The longest time in which the page could not react, in milliseconds. */
const watchGaps = `
  window.longestGap = 0;
  let before = performance.now();
  setInterval(() => {
    const now = performance.now();
    window.longestGap = Math.max(window.longestGap, now - before - 20);
    before = now;
  }, 20);
`;

const cleanup = collectCleanup();
const services = await startServices();
cleanup.teardown(() => services.stop());
Object.assign(process.env, services.environment);
const print = (text: string): void => void process.stdout.write(`${text}\n`);
let failures = 0;
const check = (name: string, holds: boolean): void => {
  if (!holds) failures += 1;
  print(`${holds ? '✓' : '✗'} ${name}`);
};
try {
  const stack = await testStack(cleanup, { patient: false });
  // Slow enough that some uploads are told to come again.
  const limits = { requestsPerMinute: 600 };
  await limitKey(stack.db, stack.account.keyId, { limits, actor: 'drop' });
  await untilReady(stack);
  const folder = await mkdtemp(join(tmpdir(), 'svc-drop-'));
  cleanup.teardown(() => rm(folder, { recursive: true }));
  const bad = await makeFolder(folder);
  const { page, errors } = await openPage(cleanup);
  await page.addInitScript(`sessionStorage.setItem('key', '${stack.account.key}')`);
  await page.goto(`${stack.base}/console`);
  await page.locator('#tiles dd').first().waitFor();
  await page.evaluate(watchGaps);

  const startedAt = performance.now();
  const box = (await page.locator('#drop').boundingBox())!;
  const client = await page.context().newCDPSession(page);
  const place = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const data = { items: [], files: [folder], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await client.send('Input.dispatchDragEvent', { type, ...place, data });
  }
  await page.locator('#upload-summary', { hasText: /^Sending/ }).waitFor();
  const rows = page.locator('#upload-list li');
  check(`${total} files are listed, and none that is hidden`, (await rows.count()) === total);
  await page.locator('#upload-summary', { hasText: /\d+ of \d+ done/ }).waitFor();
  const sentMs = performance.now() - startedAt;
  const open = '#upload-list li:not(.problem):not(:has(a))';
  await until(
    () => page.locator(open).count(),
    (count) => count === 0,
  );
  const totalMs = performance.now() - startedAt;
  const done = await page.locator('#upload-list li:has(a)').count();
  const problems = await page.locator('#upload-list .problem .error').allInnerTexts();
  print((await page.locator('#upload-summary').innerText()).trim());
  for (const reason of new Set(problems)) print(`  ${reason}`);
  check(`${total - bad} are done`, done === total - bad);
  check(`${bad} are rejected, each with its reason`, problems.filter(Boolean).length === bad);
  const gap = Math.round(Number(await page.evaluate('window.longestGap')));
  const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
  print(`sent after ${seconds(sentMs)}, done after ${seconds(totalMs)}, longest gap ${gap} ms`);

  await page.locator('#batches a').first().click();
  await page.getByText('Download', { exact: true }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: /^srt/ }).click();
  const archive = await readFile(await (await download).path());
  const names = archive.toString('latin1').match(/call-\d{3}\.wav\.srt/g) ?? [];
  check('the captions of each are in one archive', new Set(names).size === total - bad);
  const scripts = errors.filter((error) => !error.startsWith('Failed to load resource'));
  check('no script fails', scripts.length === 0);
} finally {
  await cleanup.finish();
}
process.exitCode = failures === 0 ? 0 : 1;
