// A recording whose container's time begins later than 0: what a word or the timeline leads to is
// where the sound of that moment lies in the file.
import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { joinSamples } from '../../../models/audio/samples.ts';
import { batchId } from '../../screenshots/fixture.ts';
import { change, signedIn } from '../../screenshots/signed-in.ts';
import { readResults, startBatch, untilBatch, uploadFile } from '../../support/batches.ts';
import { openPage } from '../../support/browser.ts';
import { encode, sampleRate, silence, speech, toWav } from '../../support/speech.ts';
import { testStack, untilReady } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

const firstHz = 400;
const hzPerSecond = 5;

/** A tone that rises: its frequency is the time. */
function rising(seconds: number): Int16Array {
  return Int16Array.from({ length: seconds * sampleRate }, (_, i) => {
    const time = i / sampleRate;
    const cycles = firstHz * time + (hzPerSecond * time * time) / 2;
    return Math.round(9_000 * Math.sin(2 * Math.PI * cycles));
  });
}

/** The page's own sound is `sound`; `listen()` is the second of a rising tone that it plays. */
const watchSound = `
  const Sound = window.Audio;
  window.Audio = function () {
    return (window.sound = new Sound());
  };
  let analyser = null;
  window.listen = () => {
    if (!analyser) {
      const context = new AudioContext();
      analyser = context.createAnalyser();
      Object.assign(analyser, { fftSize: 32768, smoothingTimeConstant: 0 });
      context.createMediaElementSource(sound).connect(analyser).connect(context.destination);
    }
    const levels = new Float32Array(analyser.frequencyBinCount);
    analyser.getFloatFrequencyData(levels);
    const loudest = levels.indexOf(Math.max(...levels));
    if (levels[loudest] < -60) return null;
    const hz = (loudest * analyser.context.sampleRate) / analyser.fftSize;
    return (hz - ${firstHz}) / ${hzPerSecond};
  };
`;

interface Playing {
  /** null for silence */
  readonly heard: number | null;
  readonly shown: number;
  readonly isMuted: boolean;
  /** In percent of the waveform. */
  readonly drawn: number;
}

/** Read behind a frame, with which the page has just shown where it is. */
const playing = (page: Page) =>
  page.evaluate<Playing>(`(async () => {
    await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
    return {
      heard: listen(),
      shown: Number(document.querySelector('#timeline').getAttribute('aria-valuenow')),
      isMuted: sound.muted,
      drawn: parseFloat(
        document.querySelector('#wave > div').shadowRoot.querySelector('.progress').style.width,
      ),
    };
  })()`);

test('a click on a word seeks to its place in the container', async (t) => {
  const stack = await testStack(t);
  await untilReady(stack);
  const words = await speech('Thank you for calling, how can I help you today?');
  const wav = toWav(joinSamples([silence(2), words, silence(1)]));
  const file = await encode(wav, 'webm', ['-output_ts_offset', '7']);
  const batch = await startBatch(stack, [await uploadFile(stack, file)]);
  await untilBatch(stack, batch.id);
  const [line] = await readResults(stack, batch.id);
  const { start } = line!.result!.segments.flatMap((segment) => segment.words).at(-1)!;
  const { page, errors } = await openPage(t);
  await page.addInitScript(`sessionStorage.setItem('key', '${stack.account.key}'); ${watchSound}`);
  await page.goto(`${stack.base}/console/recording?batch=${batch.id}&item=0`);
  await page.locator('#play:enabled').waitFor();
  await page.locator('.word').last().click();
  const at = await page.evaluate<number>('sound.currentTime');
  t.true(Math.abs(at - 7 - start) < 0.02, `${at} for a word at ${start}`);
  t.deepEqual(errors, []);
});

/** Long enough for a machine that is busy meanwhile. */
const duration = 300;
/** The analyser hears most of a second at once. */
const toleranceSeconds = 2;
const vorbis = (at: string) => ['-c:a', 'libvorbis', '-output_ts_offset', at];
const recordings = [
  ['WebM, whose time the browser shows', 'webm', ['-output_ts_offset', '20'], 20],
  ['Opus in Ogg', 'opus', ['-output_ts_offset', '500'], 500],
  ['Vorbis, which the browser counts from 0 as well', 'ogg', vorbis('500'), 500],
  ['Vorbis that begins before the moment', 'ogg', vorbis('4'), 4],
  ['an ordinary file', 'm4a', [], 0],
] as const;
const mediaTypes = { webm: 'audio/webm', opus: 'audio/ogg', ogg: 'audio/ogg', m4a: 'audio/mp4' };

function assertSame(t: ExecutionContext, { heard, shown, drawn }: Playing): void {
  t.true(Math.abs(heard! - shown) < toleranceSeconds, `${heard} is shown as ${shown}`);
  t.true(Math.abs(drawn - (100 * shown) / duration) < 1, `${drawn} % at ${shown}`);
}

for (const [name, format, options, startSeconds] of recordings) {
  test(`what is heard is shown, and silenced: ${name}`, async (t) => {
    const { page, base } = await signedIn(t, { script: watchSound });
    const file = await encode(toWav(rising(duration)), format, options);
    await page.route('**/data/audio?*', (route) =>
      route.fulfill({ body: file, contentType: mediaTypes[format] }),
    );
    await change(page, '**/data/result?*', (result) => {
      Object.assign(result, { duration, start_seconds: startSeconds });
      if (result.removed.length > 0) result.removed = [{ start: 150, end: 290 }];
    });
    await page.goto(`${base}/console/recording?batch=${batchId}&item=1&view=redacted#t=9.5`);
    await page.locator('#play:enabled').waitFor();
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    const before = await until(
      () => playing(page),
      ({ heard, shown }) => heard !== null && shown > 10.5,
    );
    assertSame(t, before);
    t.false(before.isMuted);
    for (let minutes = 0; minutes < 2.5; minutes += 0.5) {
      await page.getByRole('slider').press('PageDown');
    }
    await until(
      () => playing(page),
      ({ isMuted, shown }) => isMuted && shown > 150,
    );
    await page.getByRole('slider').press('Home');
    const again = await until(
      () => playing(page),
      ({ heard, shown }) => heard !== null && shown > 3 && shown < 140,
    );
    assertSame(t, again);
  });
}
