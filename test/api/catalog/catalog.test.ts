// Catalogs, health and the client library: what a program reads before and during its calls.
import test from 'ava';
import OpenAI, { toFile } from 'openai';
import { toModelList } from '../../../api/catalog/response.ts';
import { defaultBundles } from '../../support/default-bundles.ts';
import { modelListSchema, pricingSchema } from '../../../api/catalog/schemas.ts';
import { readySchema } from '../../../api/health/openapi.ts';
import { costText, rateText } from '../../../api/results/usage.ts';
import { speech, toWav } from '../../support/speech.ts';
import { testStack, untilReady } from '../../support/stack.ts';

test('the catalogs have their shape and the rates of the contract', async (t) => {
  const { base, account } = await testStack(t, { worker: false });
  const models = await fetch(`${base}/v1/models`, {
    headers: { Authorization: `Bearer ${account.key}` },
  });
  const { data } = modelListSchema.parse(await models.json());
  t.deepEqual(
    data.map(({ id }) => id),
    [
      'svc-resonance',
      'svc-fourier',
      'svc-svceet',
      'svc-spectra-2',
      'svc-proficiency-1',
      'svc-resonance-2',
      'svczero',
    ],
  );
  t.false(data[0]!.available, 'no worker is there');
  const pricing = pricingSchema.parse(await (await fetch(`${base}/v1/pricing`)).json());
  t.is(pricing.models[0]!.rates_per_minute_usd.transcription, '0.0080');
});

test('the catalog names the bundle that recognises English here', (t) => {
  const named = (english: string) => {
    const bundles = { ...defaultBundles, english };
    const { data } = toModelList({ available: true, bundles });
    return Object.fromEntries(data.map(({ id, bundle }) => [id, bundle?.name]));
  };
  t.like(named('moonshine-base-en'), {
    'svc-resonance': 'moonshine-base-en',
    'svc-spectra-2': 'whisper-base',
    'svc-resonance-2': 'affect-resonance',
    svczero: 'synthetic-head',
  });
  t.is(named('moonshine-tiny-en')['svc-resonance'], 'moonshine-tiny-en');
});

test('readiness names what fails, and a worker makes the service ready', async (t) => {
  const stack = await testStack(t, { worker: false });
  t.is((await fetch(`${stack.base}/livez`)).status, 200);
  const before = await fetch(`${stack.base}/readyz`);
  t.is(before.status, 503);
  t.regex(((await before.json()) as any).error.message, /workers/);
  await stack.startWorker();
  await untilReady(stack);
  const response = await fetch(`${stack.base}/readyz`);
  t.is(response.status, 200);
  readySchema.parse(await response.json());
});

test('the openai client transcribes against this service', async (t) => {
  const { base, account } = await testStack(t);
  const client = new OpenAI({ apiKey: account.key, baseURL: `${base}/v1`, maxRetries: 0 });
  const wav = toWav(await speech('Good morning, how can I help you?'));
  const { text } = await client.audio.transcriptions.create({
    file: await toFile(wav, 'call.wav'),
    model: 'svc-resonance',
  });
  t.regex(text, /good morning/i);
});

test('costs are exact decimals', (t) => {
  t.is(costText(8_000, 60), '0.008000');
  t.is(rateText(450), '0.00045');
  t.is(rateText(8_000), '0.0080');
  t.is(rateText(0), '0.0000');
  t.is(costText(8_000, 1), '0.000133');
  t.is(costText(10_000, 3_600), '0.600000');
  t.is(costText(12_000, 0), '0.000000');
  t.is(costText(12_000_000, 90), '18.000000');
});
