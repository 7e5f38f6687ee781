// The console in a browser: a recording is uploaded, its report is shown, batches are listed.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { joinSamples } from '../../../models/audio/samples.ts';
import { startBatch, uploadFile } from '../../support/batches.ts';
import { openPage } from '../../support/browser.ts';
import { silence, speech, toWav, withDirectory } from '../../support/speech.ts';
import { testStack, untilReady } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

test('a recording is uploaded, watched and read; batches are cancelled and deleted', async (t) => {
  const stack = await testStack(t);
  await untilReady(stack);
  const { page, errors } = await openPage(t);
  await page.goto(stack.base);
  await page.getByText('Enter an API key above.').waitFor();
  await page.getByLabel('API key').fill('svc_live_wrong');
  await page.getByLabel('API key').blur();
  await page.getByText('The API key is not valid.').waitFor();
  await until(() => errors.length > 0);
  t.is(errors.splice(0).length, 1, 'the 401 itself');

  await page.getByLabel('API key').fill(stack.account.key);
  await page.getByLabel('API key').blur();
  await page.getByText('Nothing yet.').waitFor();
  // The error of the wrong key is gone.
  await until(
    () => page.locator('#message').innerText(),
    (text) => text === '',
  );
  const call = joinSamples([
    await speech('Thank you for calling, how can I help you today?'),
    silence(0.8),
    await speech('I would like to change my address <b>now</b>.', { voice: 'rms' }),
  ]);
  await withDirectory(async (folder) => {
    const path = join(folder, 'call.wav');
    await writeFile(path, toWav(call));
    const broken = join(folder, 'notes.txt');
    await writeFile(broken, 'no recording');
    await page.locator('#files').setInputFiles([broken, path]);
    const report = page.frameLocator('#report');
    const said = report.locator('.transcript').getByText(/thank you for calling/i);
    await said.waitFor();
    for (const heading of ['Waveform', 'Speakers', 'Emotions', 'Talk', 'Transcript']) {
      t.is(await report.getByRole('heading', { name: heading }).count(), 1, heading);
    }
    t.true((await report.locator('path.wave').boundingBox())!.height > 20);
    t.true((await report.locator('svg rect').count()) >= 2);
  });
  t.regex(await page.locator('#rejected').innerText(), /^notes\.txt: The file is not /);
  await until(() => errors.length > 0);
  t.is(errors.splice(0).length, 1, 'the 400 itself');
  await page.locator('#batches').getByRole('button', { name: 'call.wav' }).waitFor();
  await page.locator('#player').waitFor();
  await page.locator('#message', { hasText: 'completed: 1 of 1 done' }).waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'srt' }).click();
  t.regex((await download).suggestedFilename(), /call\.wav\.srt/);

  const clip = await uploadFile(stack, toWav(await speech('Hello there.')));
  const long = await startBatch(
    stack,
    Array.from({ length: 2_000 }, () => clip),
  );
  await page.getByRole('button', { name: 'Refresh' }).click();
  const row = page.locator('tr', { hasText: long.id });
  await row.getByRole('button', { name: 'cancel' }).click();
  await page.locator('tr', { hasText: long.id }).getByText('cancelled', { exact: true }).waitFor();
  let asked = '';
  page.once('dialog', (dialog) => {
    asked = dialog.message();
    void dialog.dismiss();
  });
  await row.getByRole('button', { name: 'remove' }).click();
  t.is(asked, `Delete the results of “${long.id}” for good?`);
  page.once('dialog', (dialog) => void dialog.accept());
  await row.getByRole('button', { name: 'remove' }).click();
  await row.waitFor({ state: 'detached' });
  t.is(await page.locator('#batches tr').count(), 1);
  t.deepEqual(errors, []);
});
