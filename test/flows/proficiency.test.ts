// Proficiency end to end: shapes, statuses, billing, and what remains.
import test from 'ava';
import { proficiencyResultSchema } from '../../api/proficiency/schema.ts';
import { joinSamples } from '../../models/audio/samples.ts';
import { music, silence, speech, toWav } from '../support/speech.ts';
import { postFile, testStack } from '../support/stack.ts';
import { settledTraces } from '../support/traces.ts';

const path = '/v1/audio/proficiency';
const text =
  'I would like to change the address on my account, please send me twenty five letters.';
const other =
  'Seven green bottles hang upon a wall while nobody remembers where the river goes today.';

test('with and without a transcript; a wrong one ranks lower', async (t) => {
  const stack = await testStack(t);
  const spoken = await speech(text);
  const pause = silence(0.6);
  const long = joinSamples([spoken, pause, spoken, pause, ...Array<Int16Array>(5).fill(spoken)]);
  const file = toWav(spoken);
  const post = async (options: object) => {
    const { status, body, headers } = await postFile(stack, path, { file, ...options });
    t.is(status, 200, JSON.stringify(body));
    return { ...proficiencyResultSchema.parse(body), ignored: headers.get('x-svc-ignored-fields') };
  };
  const plain = await post({ fields: { more: '1' } });
  t.is(plain.ignored, 'more');
  t.is(plain.check.status, 'scored');
  t.is(plain.proficiency.status, 'scored');
  t.is(plain.language, 'en');
  t.regex(plain.text!, /change the address/i);
  t.false(plain.proficiency.continuous_metadata.transcript_used);
  t.is(plain.usage.rate_per_minute_usd, '0.0120');

  const given = await post({ fields: { transcript: text.toUpperCase() } });
  t.is(given.text, text.toUpperCase());
  t.is(given.check.status, 'scored');
  t.true(given.proficiency.continuous_metadata.transcript_used);
  t.is(given.proficiency.words.length, 16);
  t.true(given.proficiency.words.every(({ score }) => score !== null));
  t.deepEqual(
    given.segments.flatMap(({ words }) => words.map(({ word }) => word)),
    text.toUpperCase().split(' '),
  );
  const wrong = await post({ fields: { transcript: other } });
  t.is(wrong.check.status, 'low_confidence');
  t.regex(wrong.check.reason!, /^transcript_mismatch/);
  t.true(wrong.proficiency.score! < given.proficiency.score! - 0.2);
  t.true(wrong.proficiency.confidence < 0.35);

  const half = await post({ fields: { transcript: text.split(' ').slice(0, 8).join(' ') } });
  t.like(half.check, { status: 'low_confidence', billable: true });
  t.regex(half.check.reason!, /^transcript_mismatch/);

  const windows = await postFile(stack, path, { file: toWav(long) });
  const parsed = proficiencyResultSchema.parse(windows.body);
  t.true(parsed.proficiency.window_count! > 1);
  t.true(Math.abs(parsed.proficiency.score! - plain.proficiency.score!) < 0.15);
  const starts = parsed.proficiency.words.map(({ start_s: start }) => start!);
  t.deepEqual(
    starts,
    starts.toSorted((a, b) => a - b),
  );
  const { debits, objectKeys, objectRows } = await settledTraces(stack);
  t.deepEqual([debits.length, objectKeys.length, objectRows], [5, 0, 0]);
});

test('words in another pronunciation and written numbers are scored as said', async (t) => {
  const stack = await testStack(t);
  const scoresOf = async (spoken: string, transcript: string) => {
    const file = toWav(await speech(spoken));
    const { body } = await postFile(stack, path, { file, fields: { transcript } });
    const { words } = proficiencyResultSchema.parse(body).proficiency;
    return new Map(words.map(({ text: word, score }) => [word, score!]));
  };
  const reading = await scoresOf(
    'Doctor Brown will reed the whole book now, because the dahta in our shedyule is wrong.',
    'Dr. Brown will read the whole book now, because the data in our schedule is wrong.',
  );
  const dated = await scoresOf(
    'On the third of May nineteen ninety five she paid twenty dollars at nine thirty this morning.',
    'On the 3rd of May 1995 she paid $20 at 9:30 this morning.',
  );
  for (const word of ['Dr.', 'read', 'data', 'schedule']) t.true(reading.get(word)! > 0.7, word);
  for (const word of ['3rd', '1995', '$20', '9:30']) t.true(dated.get(word)! > 0.8, word);
});

test('silence and music are free or doubtful; bad fields are rejected', async (t) => {
  const stack = await testStack(t);
  const send = async (file: Buffer, fields: Record<string, string> = {}) => {
    const { status, body } = await postFile(stack, path, { file, fields });
    return status === 200 ? proficiencyResultSchema.parse(body) : body.error.code;
  };
  for (const quiet of [silence(6), music(8)]) {
    const result = await send(toWav(quiet));
    t.is(result.check.status, 'insufficient_audio');
    t.false(result.check.billable);
    t.is(result.usage.billable_seconds, 0);
    t.is(result.proficiency.score, null);
    t.is(result.proficiency.status, 'unscorable');
  }
  t.is(await send(toWav(silence(4.9))), 'audio_too_short');
  const file = toWav(silence(6));
  t.is(await send(file, { model: 'svc-resonance' }), 'model_not_supported');
  t.is(await send(file, { model: 'svc-resonance-1' }), 'model_retired');
  t.is(await send(file, { model: 'nothing' }), 'model_not_found');
  t.is(await send(file, { transcript: 'a'.repeat(20_001) }), 'invalid_field');
  t.is(await send(file, { transcript: '...' }), 'invalid_field');
  t.deepEqual((await settledTraces(stack)).debits, []);
});
