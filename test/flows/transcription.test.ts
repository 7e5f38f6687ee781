// From a recording to its transcript: HTTP, PostgreSQL, S3, Temporal and models, all real.
import test from 'ava';
import { speechResultSchema } from '../../api/results/schemas.ts';
import { setVocabulary } from '../../db/vocabulary-defaults.ts';
import { joinSamples } from '../../models/audio/samples.ts';
import { clipSeconds } from '../../models/contract/clip.ts';
import { music, noise, silence, speech, toWav } from '../support/speech.ts';
import { testStack, transcribe } from '../support/stack.ts';
import { settledTraces } from '../support/traces.ts';

test.serial('a spoken clip is transcribed, debited once and leaves no object', async (t) => {
  const stack = await testStack(t);
  const samples = await speech('The quick brown fox jumps over the lazy dog.');
  const { status, headers, body } = await transcribe(stack, toWav(samples));

  t.is(status, 200);
  const result = speechResultSchema.parse(body);
  t.regex(result.text ?? '', /quick brown fox/i);
  t.is(result.language, 'en');
  t.is(result.duration, Math.round((samples.length / 16_000) * 1_000) / 1_000);
  t.is(result.usage.billable_seconds, Math.ceil(samples.length / 16_000));
  t.truthy(headers.get('x-request-id'));
  const words = result.segments.flatMap((segment) => segment.words);
  t.true(words.length >= 8);
  for (const [i, word] of words.entries()) {
    t.true(word.start <= word.end && word.end <= result.duration);
    t.true(i === 0 || word.start >= words[i - 1]!.start);
  }
  const left = await settledTraces(stack);
  t.deepEqual(left.debits, [result.usage.billable_seconds]);
  t.deepEqual(left.objectKeys, []);
  t.is(left.objectRows, 0);

  const counted = await transcribe(
    stack,
    toWav(await speech('It will take forty five minutes to get there.')),
    {
      fields: { model: 'svc-resonance', format_numbers: 'true' },
    },
  );
  const formatted = speechResultSchema.parse(counted.body);
  t.regex(formatted.text ?? '', /take 45 minutes/i);
  const spoken = formatted.segments.flatMap((segment) => segment.words).map(({ word }) => word);
  t.regex(spoken.join(' '), /forty.five/i, 'words keep what was spoken');

  const wav = toWav(await speech('Is it gray or green?'));
  const { organizationId } = stack.account;
  const prefer = (...terms: string[]) =>
    setVocabulary(stack.db, { organizationId, actor: 'test', terms });
  const shadeOf = async (fields: Readonly<Record<string, string>> = {}) => {
    const own = await transcribe(stack, wav, { fields: { model: 'svc-resonance', ...fields } });
    return /gr[ae]y/i.exec(speechResultSchema.parse(own.body).text ?? '')?.[0];
  };
  const term = (await shadeOf()) === 'gray' ? 'grey' : 'gray';
  t.is(await shadeOf({ vocabulary: `Xanthippe, ${term}` }), term, 'of the request');
  await prefer(term);
  t.is(await shadeOf(), term, 'of its organization');
  await prefer();
  t.deepEqual((await settledTraces(stack)).objectKeys, [], 'nor do its terms remain');
});

test.serial('a long recording is transcribed in spans, in order, to its end', async (t) => {
  const stack = await testStack(t);
  const sentences = [
    'One apple a day.',
    'Please hold the line.',
    'We will call you back tomorrow.',
  ];
  const parts = await Promise.all(sentences.map((text) => speech(text)));
  const block = joinSamples(parts.flatMap((part) => [part, silence(0.6)]));
  const recording = joinSamples(Array.from({ length: 20 }, () => block));
  const { status, body } = await transcribe(stack, toWav(recording), {
    fields: { model: 'svc-fourier' },
  });

  t.is(status, 200, JSON.stringify(body));
  const result = speechResultSchema.parse(body);
  t.is(result.model, 'svc-fourier');
  t.is((result.text ?? '').match(/to-?morrow/gi)?.length, 20);
  t.is((result.text ?? '').match(/hold the line/gi)?.length, 20);
  t.true(result.duration > clipSeconds);
  t.true(result.segments.at(-1)!.end > result.duration - 2);
  t.deepEqual((await settledTraces(stack)).objectKeys, []);
});

test.serial('silence, noise and hold music have no text and are billed', async (t) => {
  const stack = await testStack(t);
  for (const sound of [silence(3), noise(3), music(8)]) {
    const { status, body } = await transcribe(stack, toWav(sound));
    t.is(status, 200);
    const result = speechResultSchema.parse(body);
    t.is(result.text, '');
    t.deepEqual(result.segments, []);
    t.is(result.usage.billable_seconds, sound.length / 16_000);
  }
});

test.serial('fifty calls with one id run once; the others are conflicts', async (t) => {
  const stack = await testStack(t);
  const file = toWav(await speech('Only one of us will be heard.'));
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => transcribe(stack, file, { requestId: 'same' })),
  );
  const codes = answers.map(({ status, body }) => `${status} ${body.error?.code ?? ''}`);
  t.is(codes.filter((code) => code.startsWith('200')).length, 1);
  t.is(
    codes.filter((code) => /^409 request_(in_progress|already_completed)$/.test(code)).length,
    49,
  );
  const again = await transcribe(stack, file, { requestId: 'same' });
  t.is(again.body.error.code, 'request_already_completed');
  const other = await transcribe(stack, toWav(silence(1)), { requestId: 'same' });
  t.is(other.body.error.code, 'idempotency_conflict');
  const left = await settledTraces(stack);
  t.is(left.debits.length, 1);
  t.deepEqual(left.objectKeys, []);
});

test.serial('broken audio is the same 4xx twice, without debit or object', async (t) => {
  const stack = await testStack(t);
  const broken = Buffer.concat([toWav(silence(1)).subarray(0, 60), Buffer.alloc(10)]);
  for (let call = 0; call < 2; call += 1) {
    const { status, body } = await transcribe(stack, broken, { requestId: 'broken' });
    t.is(status, 400);
    t.is(body.error.code, 'audio_undecodable');
    t.regex(body.error.message, /truncated/);
  }
  const left = await settledTraces(stack);
  t.deepEqual(left.debits, []);
  t.deepEqual(left.objectKeys, []);
});

test.serial('a recording beyond the allowance is 402 and leaves its id unused', async (t) => {
  const stack = await testStack(t, { allowanceSeconds: 5 });
  const long = await transcribe(stack, toWav(silence(6)), { requestId: 'too-long' });
  t.is(long.status, 402);
  t.is(long.body.error.code, 'allowance_exhausted');
  const short = await transcribe(stack, toWav(silence(5)), { requestId: 'too-long' });
  t.is(short.status, 200);
  const none = await transcribe(stack, toWav(silence(1)));
  t.is(none.status, 402);
  // Who lost the answer that used up the allowance is told that it was given.
  const again = await transcribe(stack, toWav(silence(5)), { requestId: 'too-long' });
  t.deepEqual([again.status, again.body.error.code], [409, 'request_already_completed']);
  const left = await settledTraces(stack);
  t.deepEqual(left.debits, [5]);
  t.deepEqual(left.objectKeys, []);
});

/** The answer does not wait for the last deletions. */
