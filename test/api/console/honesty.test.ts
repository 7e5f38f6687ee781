// What the console's pages do not claim: speakers whom nobody separated, channels that are not
// there, words that are sure, batches that are done.
import test from 'ava';
import { batchId } from '../../screenshots/fixture.ts';
import { change, signedIn } from '../../screenshots/signed-in.ts';

const recording = `console/recording?batch=${batchId}&item=1`;
const compared = `console/compare?a=${batchId}.1&b=${batchId}.2`;

/** As the service answers where speakers were not separated. */
function withoutSpeakers(result: any): void {
  for (const segment of result.segments) segment.speaker = null;
  result.metrics.speakers = [{ ...result.metrics.speakers[0], speaker: null }];
}

test('where speakers were not separated, no one is invented', async (t) => {
  const { page, base } = await signedIn(t);
  await change(page, '**/data/recording?*', (about) => (about.speakers = null));
  await change(page, '**/data/result?*', withoutSpeakers);
  await page.goto(`${base}/${recording}#t=1`);
  await page.locator('#play:enabled').waitFor();
  t.false((await page.locator('#content').innerText()).includes('Speaker\u00a00'));
  t.deepEqual(await page.locator('.lane-names span').allInnerTexts(), [
    ...['Speech', 'Emotions', 'Styles'],
  ]);
  const rows = await page.locator('#talk tbody th').allInnerTexts();
  t.deepEqual(rows, ['Talk', 'Words/min', 'Level, dBFS']);
  t.deepEqual(await page.locator('#talk thead th').allInnerTexts(), ['All speech']);
  await page.getByText('Speakers were not separated.').waitFor();
  await page.goto(`${base}/${compared}`);
  const shares = page.locator('#figures tr', { hasText: 'Shares of talk' });
  await shares.waitFor();
  t.deepEqual(await shares.locator('td').allInnerTexts(), ['–', '–']);
});

test('channels of which nothing is heard are told', async (t) => {
  const { page, base } = await signedIn(t);
  const channel = (number: number, role: string | null, state: string) => {
    return { speaker: `speaker_${number}`, role, state };
  };
  let channels = [channel(0, 'agent', 'speech'), channel(1, 'customer', 'missing')];
  await change(page, '**/data/result?*', (result) => (result.channels = channels));
  const [one, none] = [
    'The recording has one channel: whoever speaks in it is shown as one speaker.',
    'The recording has no channel for: customer.',
  ];
  for (const [states, text] of [
    [['speech', 'missing'], `${one} ${none}`],
    [['speech', 'silent'], 'No speech was found on the channel of: customer.'],
  ] as const) {
    channels = states.map((state, i) => channel(i, ['agent', 'customer'][i]!, state));
    await page.goto(`${base}/${recording}`);
    await page.locator('#play:enabled').waitFor();
    t.is(await page.locator('#note').innerText(), text);
  }
  channels = [channel(0, null, 'speech'), channel(1, null, 'silent')];
  await page.goto(`${base}/${compared}`);
  const note = page.locator('#transcripts .note').first();
  t.is(await note.innerText(), 'No speech was found on the channel of: Speaker\u00a01.');
});

test('recordings that are compared mark unsure words, and say when most are', async (t) => {
  const { page, base } = await signedIn(t);
  await change(page, '**/data/result?*', (result) => (result.note = 'Most words are uncertain.'));
  await page.goto(`${base}/${compared}`);
  await page.locator('#transcripts .unsure').first().waitFor();
  t.is(await page.locator('#transcripts .unsure').first().getAttribute('title'), 'confidence 0.31');
  t.is(await page.locator('#transcripts .note').count(), 2);
});

test('a recording of a task without words is none in which no words were found', async (t) => {
  const { page, base } = await signedIn(t);
  await change(page, '**/data/recording?*', (about) => (about.batch.task = 'style'));
  await change(page, '**/data/result?*', (result) => {
    withoutSpeakers(result);
    for (const segment of result.segments) segment.pieces = [];
    Object.assign(result, { language: null, has_words: false });
    result.metrics.words = 0;
  });
  await page.goto(`${base}/${recording}`);
  await page.locator('#play:enabled').waitFor();
  t.regex(await page.locator('#facts').innerText(), /^3:05 · style · kept until /);
  await page.getByRole('heading', { name: 'Turns' }).waitFor();
  t.true(await page.locator('#find').isHidden());
  t.true(await page.getByText('Hide card, account').isHidden());
});

test('turns without words say so, and one uncertain word is one', async (t) => {
  const { page, base } = await signedIn(t);
  await change(page, '**/data/result?*', ({ segments }) => {
    for (const [i, segment] of segments.entries()) {
      if (i > 0) segment.pieces = [];
    }
  });
  await page.goto(`${base}/${recording}`);
  await page.locator('#play:enabled').waitFor();
  t.is(await page.locator('#transcript').getByText('No words were understood.').count(), 41);
  const note = await page.locator('#unsure-note').innerText();
  t.is(note, '1 of 13 words is uncertain; it is underlined with dots.');
});

test('a recording without speech has no table without columns', async (t) => {
  const { page, base } = await signedIn(t);
  await change(page, '**/data/result?*', (result) => {
    Object.assign(result, { segments: [] });
    result.metrics.speakers = [];
  });
  await page.goto(`${base}/${recording}`);
  await page.locator('#play:enabled').waitFor();
  t.is(await page.locator('#talk tr').count(), 0);
  await page.goto(`${base}/${compared}`);
  await page.locator('#figures tbody td').first().waitFor();
  const cells = await page.locator('#figures tbody td').allInnerTexts();
  t.deepEqual(
    cells.filter((cell) => cell === ''),
    [],
  );
});

test('a stopped batch has no full bar, and no empty archive', async (t) => {
  const { page, base } = await signedIn(t);
  await change(page, `**/v1/batches/${batchId}`, (batch) => {
    const counts = { total: 1, completed: 0, failed: 0, cancelled: 1 };
    Object.assign(batch, { status: 'cancelled', progress: 1, request_counts: counts });
  });
  await page.goto(`${base}/console/batch?id=${batchId}`);
  await page.locator('#state', { hasText: '0 of 1 done, 1 cancelled' }).waitFor();
  t.is(await page.locator('#state progress').count(), 0);
  await page.getByText('Download').click();
  await page.getByRole('button', { name: 'srt' }).click();
  await page.locator('#message.error', { hasText: 'No recording of this batch' }).waitFor();
});

test('a batch has the name of what it holds', async (t) => {
  const { page, base } = await signedIn(t);
  await page.goto(`${base}/console`);
  await page.locator('#tiles dd').first().waitFor();
  const started = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/v1/batches'),
  );
  const names = ['a.txt', 'b.wav', 'c.wav', 'd.txt'];
  await page
    .locator('#files')
    .setInputFiles(
      names.map((name) => ({ name, mimeType: 'audio/wav', buffer: Buffer.alloc(2_000) })),
    );
  t.is((await started).postDataJSON().metadata.name, 'b.wav and 1 more');
});

test('labels with a low score are marked, and the mark is explained', async (t) => {
  const { page, base } = await signedIn(t);
  const explained = 'Emotions and styles followed by (?) are uncertain';
  let score = 0.3;
  await change(page, '**/data/result?*', ({ segments }) => {
    for (const each of segments) {
      Object.assign(each, { emotions: [{ label: 'angry', score }], styles: [] });
    }
  });
  await page.goto(`${base}/${recording}#t=1`);
  await page.locator('#now .score', { hasText: '0.30(?)' }).waitFor();
  t.regex(await page.locator('.scored.emotion').first().innerText(), /angry 0\.30\(\?\)$/);
  t.true((await page.locator('#labels-note').innerText()).startsWith(explained));
  score = 0.5;
  await page.reload();
  await page.locator('#now .score', { hasText: '0.50' }).waitFor();
  t.false((await page.locator('#content').innerText()).includes('(?)'));
});
