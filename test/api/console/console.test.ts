// The console in a browser: sign-in, upload, a recording's page, search, batches; each page is
// judged by axe, loads nothing from another host, and never has the key in its address.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import type { Page } from 'playwright-core';
import { joinSamples } from '../../../models/audio/samples.ts';
import { accessibilityFaults } from '../../support/accessibility.ts';
import { call, startBatch, untilBatch, uploadFile } from '../../support/batches.ts';
import { openPage } from '../../support/browser.ts';
import { silence, speech, toWav, withDirectory } from '../../support/speech.ts';
import { testStack, untilReady, type TestStack } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

async function aCall(): Promise<Buffer> {
  return toWav(
    joinSamples([
      await speech('Thank you for calling, how can I help you today?'),
      silence(0.8),
      await speech('I would like to change my address now.', { voice: 'rms' }),
      silence(0.8),
      await speech('My phone number is four one five, five five five, two six seven one.'),
    ]),
  );
}

/** Signs in, first with a key that is wrong. */
async function signIn(page: Page, { account }: TestStack): Promise<void> {
  await page.getByLabel('API key').fill('svc_live_wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('The API key is not valid.').waitFor();
  await page.getByLabel('API key').fill(account.key);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Uploads a call beside a file that is no recording. */
async function upload(page: Page): Promise<void> {
  await withDirectory(async (folder) => {
    const [path, broken] = [join(folder, 'call.wav'), join(folder, 'notes.txt')];
    await writeFile(path, await aCall());
    await writeFile(broken, 'no recording');
    await page.locator('#files').setInputFiles([broken, path]);
    await page
      .locator('#upload-list')
      .getByText(/^The file is not /)
      .waitFor();
    await page.locator('#upload-list a', { hasText: 'call.wav' }).waitFor();
  });
  await page.locator('#upload-summary', { hasText: '1 of 2 done, 1 not accepted' }).waitFor();
}

test('a recording is uploaded, played, named, found, exported and deleted', async (t) => {
  const stack = await testStack(t);
  await untilReady(stack);
  const { page, errors } = await openPage(t);
  const foreign: string[] = [];
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol !== 'blob:' && protocol !== 'data:' && origin !== stack.base) foreign.push(origin);
    if (request.url().includes(stack.account.key)) foreign.push('the key in an address');
  });
  const judge = async (name: string): Promise<void> => {
    t.deepEqual(await accessibilityFaults(page), [], name);
    await page.setViewportSize({ width: 360, height: 740 });
    const wide = await page.evaluate('document.documentElement.scrollWidth');
    t.is(wide, 360, `${name} fits a phone`);
    await page.setViewportSize({ width: 1_280, height: 900 });
  };
  await page.goto(stack.base);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await judge('sign-in');
  await signIn(page, stack);
  await page.getByRole('heading', { name: 'Nothing yet' }).waitFor();
  await until(() => errors.length > 0);
  t.is(errors.splice(0).length, 1, 'the 401 itself');
  await upload(page);
  await until(() => errors.length > 0);
  t.is(errors.splice(0).length, 1, 'the 400 itself');
  await page.locator('#batches a', { hasText: 'call.wav' }).waitFor();
  await judge('overview');

  await page.locator('#upload-list a', { hasText: 'call.wav' }).click();
  await page
    .locator('#transcript')
    .getByText(/thank you/i)
    .waitFor();
  await page.locator('#play:enabled').waitFor();
  await judge('recording');
  t.true((await page.locator('.lane').count()) >= 2, 'speakers and tracks');
  const shares = await page.locator('#talk td', { hasText: '%' }).allInnerTexts();
  t.is(
    shares.reduce((sum, share) => sum + Number.parseInt(share, 10), 0),
    100,
  );
  const timeline = page.getByRole('slider');
  const box = (await timeline.boundingBox())!;
  await page.mouse.click(box.x + box.width * 0.75, box.y + 10);
  const position = async () => Number(await timeline.getAttribute('aria-valuenow'));
  const [clicked, whole] = [await position(), Number(await timeline.getAttribute('aria-valuemax'))];
  t.true(Math.abs(clicked / whole - 0.75) < 0.02, 'a click on the timeline seeks');
  await timeline.press('Home');
  t.is(await position(), 0);
  await page.locator('.word').first().click();
  t.is(await page.locator('.word.lit').count(), 1, 'the word at the position is lit');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await until(position, (seconds) => seconds > 0.6);
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByLabel('Words to find').fill('address');
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  t.is(await page.locator('#find-count').innerText(), '1 of 1');

  await page.getByLabel('Hide card, account').check();
  await page.locator('#transcript', { hasText: '[PHONE]' }).waitFor();
  await page.locator('#redacted-note', { hasText: '1 passage hidden and silenced' }).waitFor();
  t.regex(page.url(), /view=redacted/);
  await page.reload();
  await page.locator('#transcript', { hasText: '[PHONE]' }).waitFor();
  await page.locator('#redacted:checked').waitFor();
  await page.getByLabel('Hide card, account').uncheck();
  await page.locator('#transcript', { hasNotText: '[PHONE]' }).waitFor();

  await page.getByRole('button', { name: 'Name speakers' }).click();
  await page.getByLabel('Speaker 0', { exact: true }).fill('Agent Ann');
  await judge('names');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('#transcript .who', { hasText: 'Agent Ann' }).first().waitFor();
  await page.getByText('Download', { exact: true }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: /^srt/ }).click();
  const file = await download;
  t.is(file.suggestedFilename(), 'call.wav.srt');
  t.regex(await readFile(await file.path(), 'utf8'), /Agent Ann/);
  await page.locator('#batch-link').click();
  await page.getByText('Download', { exact: true }).click();
  const all = page.waitForEvent('download');
  await page.getByRole('button', { name: /^vtt/ }).click();
  const archive = await all;
  t.regex(archive.suggestedFilename(), /^batch_\w+-vtt\.zip$/);
  const names = (await readFile(await archive.path())).toString('latin1');
  t.regex(names, /^PK[^]*call\.wav\.vtt/, 'a file for the recording');
  await page.goBack();
  await page.locator('#transcript .who', { hasText: 'Agent Ann' }).first().waitFor();
  await page.goto(`${page.url().split('#')[0]}#t=1.5`);
  await page.reload();
  await page.locator('#transcript .who', { hasText: 'Agent Ann' }).first().waitFor();
  t.is(await position(), 1.5, 'the address names the moment');

  await page.getByRole('link', { name: 'Recordings' }).first().click();
  await page.getByLabel('Words').fill('chang address');
  await page.getByLabel('Speaker').fill('ann');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.locator('#recordings mark', { hasText: /address/i }).waitFor();
  await judge('recordings');
  const short = toWav(await speech('Hello there.'));
  const other = await startBatch(stack, [await uploadFile(stack, short)], { task: 'analysis' });
  await untilBatch(stack, other.id);
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.locator('#recordings .name', { hasText: 'item-0' }).waitFor();
  await page.getByLabel('Compare item-0').check();
  await page.getByText('Choose another one.').waitFor();
  await page.getByLabel('Compare call.wav').check();
  await page.getByRole('link', { name: 'Compare them' }).click();
  await page.getByRole('rowheader', { name: 'Shares of talk' }).waitFor();
  await page.locator('#figures', { hasText: 'Agent Ann: ' }).waitFor();
  t.is(await page.locator('#transcripts section').count(), 2);
  await judge('comparison');
  await call(stack, `/v1/batches/${other.id}`, { method: 'DELETE' });
  await page.getByRole('link', { name: 'Recordings' }).first().click();
  await page.getByLabel('Words').fill('refund');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByText('No recording matches').waitFor();
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.locator('#recordings .name').click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await judge('deletion');
  await page.getByRole('button', { name: 'Keep' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete for good' }).click();
  await page.getByText('Nothing is kept yet.').waitFor();

  const clip = await uploadFile(stack, short);
  const long = await startBatch(
    stack,
    Array.from({ length: 2_000 }, () => clip),
  );
  await page.getByRole('link', { name: 'Batches' }).click();
  await page.locator('#batches a', { hasText: long.id }).click();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('button', { name: 'Stop the batch' }).click();
  await page.locator('#state .state', { hasText: 'cancelled' }).waitFor();
  await judge('batch');
  await page.getByRole('link', { name: 'Docs' }).click();
  await page.getByLabel('Search the documentation', { exact: true }).last().fill('idempotency');
  await page.locator('#found a').first().waitFor();
  await judge('docs');
  t.deepEqual(errors, []);
  t.deepEqual(foreign, []);
});

/** A page that was busy is given the frames of that time after the click. */
const stopWhileFramesWait = `
  const until = performance.now() + 500;
  while (performance.now() < until);
  document.getElementById('record').click();
`;

test('words of the microphone appear while it is heard, and become a recording', async (t) => {
  const stack = await testStack(t, { streams: true });
  await untilReady(stack);
  await withDirectory(async (folder) => {
    const microphone = join(folder, 'microphone.wav');
    const spoken = await speech('Please call me back tomorrow morning.');
    await writeFile(microphone, toWav(joinSamples([silence(1), spoken, silence(3)])));
    const { page, errors } = await openPage(t, { microphone });
    await page.goto(`${stack.base}/console/live`);
    await page.getByLabel('API key').fill(stack.account.key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Start' }).click();
    await page.locator('#heard', { hasText: /call me back/i }).waitFor();
    await page.locator('#stable', { hasText: /call me/i }).waitFor();
    t.deepEqual(await accessibilityFaults(page), []);
    await page.evaluate(stopWhileFramesWait);
    await page.getByRole('heading', { name: 'Result' }).waitFor();
    t.regex(await page.locator('#stable').innerText(), /call me back/i);
    t.is(await page.locator('#tail').innerText(), '');
    t.deepEqual(await accessibilityFaults(page), []);
    await page.setViewportSize({ width: 360, height: 740 });
    t.is(await page.evaluate('document.documentElement.scrollWidth'), 360);
    await page.getByRole('button', { name: 'Analyse and keep it' }).click();
    await page
      .locator('#transcript')
      .getByText(/call me back/i)
      .first()
      .waitFor();
    t.deepEqual(errors, []);
  });
  const { page } = await openPage(t);
  await page.goto(`${stack.base}/console/live`);
  await page.getByLabel('API key').fill(stack.account.key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.locator('#message.error', { hasText: /microphone/i }).waitFor();
  t.true(await page.getByRole('button', { name: 'Start' }).isEnabled(), 'it can be tried again');
});
